// Post-processing: what is known of numbers beforehand makes them better, and costs nothing.

import { countSensitivity, gaussian, numberUp, releaseGaussian, systemBits } from "@dosimeter/core"
import { imposeEqualities, isotonic, jointOf, gaussianEstimate, leastSquares } from "@dosimeter/core/post"
import { useMemo, useState } from "react"
import { Button } from "../../../parts/widgets/button.tsx"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { LabLines, type LinePoint } from "../parts/lab-plots.tsx"

/** Female, male, other, all. */
const table = [41, 38, 1, 80]
const daily = [3, 0, 2, 5, 1, 0, 4, 2, 0, 1]
const cumulative = daily.map((_, day) => daily.slice(0, day + 1).reduce((sum, one) => sum + one, 0))

const sensitivity = countSensitivity({ groupsPerUnit: 2, rowsPerGroup: 1, neighbours: "add-or-remove" })
const spec = gaussian({ sensitivity, epsilon: 1, delta: "1e-6" })

/** Noisy numbers, and the same after what is known of them. */
export interface Mended {
  readonly noisy: readonly number[]
  readonly mended: readonly number[]
}

const noisyOf = (exact: readonly number[]): readonly number[] =>
  releaseGaussian(spec, exact.map(BigInt), systemBits()).map(Number)

/** Parts add up to all of them, and nothing is negative. */
export function mendedTable(): Mended {
  const noisy = noisyOf(table)
  const { values } = leastSquares({
    values: noisy,
    equal: [{ coefficients: [1, 1, 1, -1], bound: 0 }],
    atMost: [0, 1, 2].map((place) => ({
      coefficients: table.map((_, index) => (index === place ? -1 : 0)),
      bound: 0,
    })),
  })
  return { noisy, mended: values }
}

/** Totals never fall, and begin at 0 or above. */
export function mendedTotals(): Mended {
  const noisy = noisyOf(cumulative)
  return { noisy, mended: isotonic(noisy, { atLeast: 0 }) }
}

/** The standard deviation of each of three numbers of deviation 3, once a + b = c holds. */
export function deviationOfThree(): number {
  const three = [0, 0, 0].map((value) => gaussianEstimate({ value, sigmaSquared: 9 }))
  const { covariance } = imposeEqualities(jointOf(three), [{ coefficients: [1, 1, -1], bound: 0 }])
  return covariance.kind === "dense" ? Math.sqrt(covariance.rows[0]?.[0] ?? 0) : 0
}

function PostPlay() {
  const words = useLabTexts().chapters.post
  const locale = useLocale()
  const [rows, setRows] = useState(mendedTable)
  const [totals, setTotals] = useState(mendedTotals)
  const lines = [words.exact, words.noisy, words.mended]
  const points = useMemo<readonly LinePoint[]>(
    () =>
      [
        [words.exact, cumulative] as const,
        [words.noisy, totals.noisy] as const,
        [words.mended, totals.mended] as const,
      ].flatMap(([line, values]) => values.map((y, day) => ({ x: day + 1, y, line }))),
    [words, totals],
  )
  const show = (value: number): string => value.toLocaleString(locale, { maximumFractionDigits: 1 })
  const off = (values: readonly number[]): string =>
    show(
      Math.sqrt(
        values.reduce((sum, one, day) => sum + (one - (cumulative[day] ?? 0)) ** 2, 0) / values.length,
      ),
    )
  return (
    <>
      <div>
        <Button
          variant="primary"
          onPress={() => {
            setRows(mendedTable())
            setTotals(mendedTotals())
          }}
        >
          {words.draw}
        </Button>
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label={words.table}>
        <table>
          <caption>{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.group}</th>
              <th scope="col">{words.exact}</th>
              <th scope="col">{words.noisy}</th>
              <th scope="col">{words.mended}</th>
            </tr>
          </thead>
          <tbody>
            {table.map((exact, index) => (
              <tr key={words.groups[index]}>
                <th scope="row">{words.groups[index]}</th>
                <td className="figure">{exact}</td>
                <td className="figure">{show(rows.noisy[index] ?? 0)}</td>
                <td className="figure">{show(rows.mended[index] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <LabLines
        lines={lines}
        points={points}
        caption={words.text(show(Math.sqrt(numberUp(spec.variance))), off(totals.noisy), off(totals.mended))}
        xLabel={words.day}
        yLabel={words.total}
      />
    </>
  )
}

/** The chapter. */
export const post: Chapter = {
  id: "post",
  Play: PostPlay,
  exercise: { kind: "number", answer: deviationOfThree, tolerance: 0.02 },
}
