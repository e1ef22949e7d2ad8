// What an answer says of the parts of a table.

import { marginPartVariances, splitsOf, type MarginsSpec } from "@dosimeter/core/mechanisms"
import { noisyNumber, type Comparison, type NoisyNumber, type StrategyAnswer } from "./strategy-answer.ts"

/** Comparisons within the attributes of each part. */
export const partsAnswer: StrategyAnswer<"parts"> = {
  noise: ({ strategy: { spec }, grid }) => ({ mechanism: spec.kind, grid }),
  numbers: ({ strategy: { spec } }, noisy) => ofParts(spec, noisy),
}

/** The comparisons of each part: within its attributes, over the sum of all others. */
function ofParts(
  { sizes, parts }: MarginsSpec,
  noisy: readonly (readonly bigint[])[],
): readonly NoisyNumber[] {
  return parts.flatMap((part, index) => {
    const variances = marginPartVariances(sizes, part)
    const own = part.attributes.reduce<readonly (readonly (Comparison | null)[])[]>(
      (rows, attribute) => {
        const splits = splitsOf(Number(sizes[attribute] ?? 1n)).map(
          ({ from, middle, to, left, right }): Comparison => [from, middle, to, `${right}`, `${left}`],
        )
        return rows.flatMap((row) => splits.map((split) => row.with(attribute, split)))
      },
      [sizes.map(() => null)],
    )
    return own.map((over, place) => noisyNumber(over, noisy[index]?.[place], variances[place]))
  })
}
