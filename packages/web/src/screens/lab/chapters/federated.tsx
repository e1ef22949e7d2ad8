// Federated hospitals: noise of its own at each, or shares of one noise that only the sum shows.

import { countSensitivity, gaussian, numberUp } from "@dosimeter/core"
import { marginOfSum, shareOf } from "@dosimeter/core/distributed"
import { addEstimates, gaussianEstimate } from "@dosimeter/core/post"
import { useMemo, useState } from "react"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { LabLines, type LinePoint } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const counts = [2, 3, 4, 6, 8, 10, 12, 16, 20, 25]
const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
const spec = gaussian({ sensitivity, epsilon: "0.5", delta: "1e-6" })
const one = numberUp(spec.variance)

/** The standard deviation of the sum, where each hospital adds all of the noise. */
export function ownNoise(hospitals: number, sigmaSquared = one): number {
  const each = Array.from({ length: hospitals }, () => gaussianEstimate({ value: 0, sigmaSquared }))
  return Math.sqrt(addEstimates(each).variance)
}

/** The same, where each adds a share that suffices although so many may add none. */
export function sharedNoise(hospitals: number, missing: number): number {
  const honest = Math.max(1, hospitals - missing)
  return Math.sqrt(one) * marginOfSum(shareOf({ of: spec, exact: 1, honest }), hospitals)
}

function FederatedPlay() {
  const words = useLabTexts().chapters.federated
  const locale = useLocale()
  const [hospitals, setHospitals] = useState(10)
  const [missing, setMissing] = useState(2)
  const lines = [words.shared, words.own]
  const points = useMemo<readonly LinePoint[]>(
    () =>
      counts.flatMap((x) => [
        { x, y: sharedNoise(x, missing), line: words.shared },
        { x, y: ownNoise(x), line: words.own },
      ]),
    [words, missing],
  )
  const show = (value: number): string => value.toLocaleString(locale, { maximumSignificantDigits: 3 })
  return (
    <>
      <Slider label={words.hospitals} values={counts} value={hospitals} onChange={setHospitals} />
      <Slider label={words.missing} values={[0, 1, 2, 3, 5]} value={missing} onChange={setMissing} />
      <LabLines
        lines={lines}
        points={points}
        at={hospitals}
        caption={words.text(
          `${hospitals}`,
          show(ownNoise(hospitals)),
          show(sharedNoise(hospitals, missing)),
          show(Math.sqrt(one)),
        )}
        xLabel={words.hospitals}
        yLabel={words.deviation}
      />
    </>
  )
}

/** The chapter. */
export const federated: Chapter = {
  id: "federated",
  Play: FederatedPlay,
  exercise: { kind: "number", answer: () => ownNoise(16, 100), tolerance: 0.01 },
}
