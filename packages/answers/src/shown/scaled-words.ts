// What units were scaled to, in words, as every door shows it.

import type { NormOrigin, ScaledTexts } from "./receipt.ts"

const origins: Readonly<Record<NormOrigin, string>> = {
  fixed: "by groups and rows",
  learnt: "learnt",
  cap: "the declared cap",
}

/** "norm 3.1 (learnt); noise ± 40; left out in all about 12 (an estimate)". */
export function scaledWords({ norms, from, noise, leftOut }: ScaledTexts): string {
  const list = (values: readonly string[]): string => values.join(" and ")
  const parts = [
    `norm ${list(norms)} (${origins[from]})`,
    ...(noise === undefined ? [] : [`noise ± ${list(noise)}`]),
    ...(leftOut === undefined ? [] : [`left out in all about ${list(leftOut.estimate)} (an estimate)`]),
    ...(leftOut?.most === undefined ? [] : [`at most ${list(leftOut.most)} (proven)`]),
  ]
  return parts.join("; ")
}
