// Whether two sensitivities are the same: pattern by pattern, block by block.

import type { Sensitivity } from "@dosimeter/core/mechanisms"

/** Whether they are written alike. */
export function isSameSensitivity(a: Sensitivity, b: Sensitivity): boolean {
  const show = ({ neighbours, norm, patterns }: Sensitivity): string =>
    [
      neighbours,
      norm ?? "each",
      ...patterns.map((blocks) => blocks.map((one) => `${one.groups}x${one.amount}`).join("+")),
    ].join(" ")
  return show(a) === show(b)
}
