// Gaussian against Laplace noise, and from a Rényi curve to epsilon and delta.

import {
  countSensitivity,
  errorOf,
  gaussian,
  laplace,
  numberUp,
  rational,
  type MechanismSpec,
} from "@dosimeter/core"
import { renyiEpsilonAt, renyiToEpsilon, zcdpRenyi } from "@dosimeter/core/accounting"
import { pureToZcdp } from "@dosimeter/core/meaning"
import { useMemo, useState } from "react"
import { lossNumber } from "../../../parts/figures/format-number.ts"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { LabLines, type LinePoint } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const groups = [1, 2, 3, 5, 8, 12, 16, 20, 30, 50, 100]
const orders = [1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128]
const epsilon = 1
const delta = "1e-6"
const rho = numberUp(pureToZcdp("0.1")) * 100

function deviationOf(spec: MechanismSpec): number {
  const error = errorOf(spec, rational(95n, 100n))
  return error.kind === "additive" ? error.standardDeviation : 0
}

/** The standard deviations of both noises in a table of which one person touches so many groups. */
export function bothNoises(groupsPerUnit: number): { readonly laplace: number; readonly gaussian: number } {
  const bounds = { groupsPerUnit, rowsPerGroup: 1, neighbours: "add-or-remove" } as const
  const sensitivity = countSensitivity(bounds)
  return {
    laplace: deviationOf(laplace({ sensitivity, epsilon })),
    gaussian: deviationOf(gaussian({ sensitivity, epsilon, delta })),
  }
}

/** From how many groups on the Gaussian noise is the smaller one. */
export function crossing(): number {
  for (let count = 1; ; count += 1) {
    const { laplace: straight, gaussian: bell } = bothNoises(count)
    if (bell < straight) return count
  }
}

/** The epsilon that an order of the Rényi curve gives for 100 counts at 0.1. */
function epsilonAt(order: number): number {
  return renyiEpsilonAt({ order, divergence: zcdpRenyi({ rho }).at(order) }, Number(delta))
}

function BellPlay() {
  const words = useLabTexts().chapters.bell
  const locale = useLocale()
  const [count, setCount] = useState(8)
  const [order, setOrder] = useState(2)
  const noises = useMemo<readonly LinePoint[]>(
    () =>
      groups.flatMap((x) => {
        const both = bothNoises(x)
        return [
          { x, y: both.laplace, line: "Laplace" },
          { x, y: both.gaussian, line: "Gauss" },
        ]
      }),
    [],
  )
  const curve = useMemo<readonly LinePoint[]>(
    () => orders.map((x) => ({ x, y: epsilonAt(x), line: "ε" })),
    [],
  )
  const both = bothNoises(count)
  const show = (value: number): string => value.toLocaleString(locale, { maximumSignificantDigits: 3 })
  return (
    <>
      <Slider label={words.groups} values={groups} value={count} onChange={setCount} />
      <LabLines
        lines={names}
        points={noises}
        at={count}
        log="both"
        caption={words.text(`${count}`, show(both.laplace), show(both.gaussian))}
        xLabel={words.groups}
        yLabel={words.deviation}
      />
      <h3>{words.renyi}</h3>
      <Slider label={words.order} values={orders} value={order} onChange={setOrder} />
      <LabLines
        lines={epsilons}
        points={curve}
        at={order}
        log="both"
        caption={words.orderText(
          `${order}`,
          lossNumber(epsilonAt(order), locale),
          lossNumber(renyiToEpsilon(zcdpRenyi({ rho }), Number(delta)), locale),
        )}
        xLabel={words.order}
        yLabel="ε"
      />
    </>
  )
}

const names = ["Laplace", "Gauss"]
const epsilons = ["ε"]

/** The chapter. */
export const bell: Chapter = {
  id: "bell",
  Play: BellPlay,
  exercise: { kind: "number", answer: crossing, tolerance: 0 },
}
