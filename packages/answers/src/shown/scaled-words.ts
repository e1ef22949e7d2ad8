// What units were scaled to, in words, as every door shows it.

import type { NormOrigin, ScaledTexts } from "./receipt.ts"

// Where a norm that was learnt comes from is in its words already.
const origins: Readonly<Record<NormOrigin, readonly string[]>> = {
  fixed: ["by groups and rows"],
  learnt: [],
  cap: ["the declared cap"],
}

/** What a norm in words leaves to say: "noise ± 40.1; left out in all about 12 (an estimate)". */
export function scaledWords({ from, noise, leftOut }: ScaledTexts): string {
  const parts = [
    ...origins[from],
    ...(noise === undefined ? [] : [`noise ± ${list(noise)}`]),
    ...(leftOut === undefined ? [] : [`left out in all about ${list(leftOut.estimate)} (an estimate)`]),
    ...(leftOut?.most === undefined ? [] : [`at most ${list(leftOut.most)} (proven)`]),
  ]
  return parts.join("; ")
}

/** With at most four digits that count. */
const list = (values: readonly string[]): string =>
  values.map((value) => Number(value).toLocaleString("en", { maximumSignificantDigits: 4 })).join(" and ")
