// Parallel composition: groups that share nobody cost what one of them costs.

import { countSensitivity, lossOf, rational } from "@dosimeter/core"
import { composeBasic, composeParallel } from "@dosimeter/core/accounting"
import { exactly, numberUp } from "@dosimeter/core/exact"
import { laplaceOfScale } from "@dosimeter/core/mechanisms"
import { useMemo, useState } from "react"
import { lossNumber } from "../../../parts/figures/format-number.ts"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { LabBars } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const groups = [2, 4, 6, 8, 12, 20, 40]
const memberships = [1, 2, 3, 4, 5]
const each = { measure: "approx", epsilon: exactly("0.5", "epsilon"), delta: rational(0n) } as const

/** The loss of a table of counts at scale 2, where a patient is in so many of its groups at most. */
export function tableLoss(groupsPerUnit: number): number {
  const bounds = { groupsPerUnit, rowsPerGroup: 1, neighbours: "add-or-remove" } as const
  const { pure } = lossOf(laplaceOfScale({ sensitivity: countSensitivity(bounds), scale: 2 }))
  return pure === undefined ? Infinity : numberUp(pure.epsilon)
}

function ParallelPlay() {
  const words = useLabTexts().chapters.parallel
  const locale = useLocale()
  const [count, setCount] = useState(8)
  const [most, setMost] = useState(1)
  const parts = Array.from({ length: count }, () => each)
  const plain = numberUp(composeBasic(parts).epsilon)
  const disjoint = numberUp(composeParallel(parts).epsilon)
  const real = tableLoss(Math.min(most, count))
  const bars = useMemo(
    () => [
      { name: words.one, value: disjoint },
      { name: words.table, value: real },
      { name: words.added, value: plain },
    ],
    [words, disjoint, real, plain],
  )
  return (
    <>
      <Slider label={words.groups} values={groups} value={count} onChange={setCount} />
      <Slider label={words.most} values={memberships} value={most} onChange={setMost} />
      <LabBars
        bars={bars}
        caption={words.text(`${count}`, lossNumber(real, locale), lossNumber(plain, locale))}
        yLabel="ε"
      />
    </>
  )
}

/** The chapter. */
export const parallel: Chapter = {
  id: "parallel",
  Play: ParallelPlay,
  exercise: { kind: "number", answer: () => tableLoss(3), tolerance: 0.001 },
}
