// Event-level against user-level: hiding one visit, or all visits of a person.

import { countSensitivity, laplace, type LaplaceSpec } from "@dosimeter/core"
import { groupFactor } from "@dosimeter/core/meaning"
import { useMemo, useState } from "react"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { labHalfWidth } from "../parts/lab-model.ts"
import { LabLines, type LinePoint } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const visits = Array.from({ length: 30 }, (_, index) => index + 1)
const epsilon = "0.5"

/** The count of visits, where a person adds up to so many. */
export function visitCount(rowsPerGroup: number): LaplaceSpec {
  const bounds = { groupsPerUnit: 1, rowsPerGroup, neighbours: "add-or-remove" } as const
  return laplace({ sensitivity: countSensitivity(bounds), epsilon })
}

function UsersPlay() {
  const words = useLabTexts().chapters.users
  const locale = useLocale()
  const [most, setMost] = useState(5)
  const lines = [words.visit, words.person]
  const points = useMemo<readonly LinePoint[]>(
    () =>
      visits.flatMap((x) => [
        { x, y: labHalfWidth(visitCount(1)), line: words.visit },
        { x, y: labHalfWidth(visitCount(x)), line: words.person },
      ]),
    [words],
  )
  const half = (count: number): string => labHalfWidth(visitCount(count)).toLocaleString(locale)
  const factor = groupFactor(epsilon, most)
  return (
    <>
      <Slider label={words.most} values={visits} value={most} onChange={setMost} />
      <LabLines
        lines={lines}
        points={points}
        at={most}
        caption={words.text(`${most}`, half(1), half(most))}
        xLabel={words.most}
        yLabel={words.error}
      />
      <p>{words.odds(`${most}`, factor.toLocaleString(locale, { maximumSignificantDigits: 3 }))}</p>
    </>
  )
}

/** The chapter. */
export const users: Chapter = {
  id: "users",
  Play: UsersPlay,
  exercise: { kind: "number", answer: () => Math.log(groupFactor("0.1", 30)), tolerance: 0.001 },
}
