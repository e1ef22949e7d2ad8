// A study as the server sends it, for the tests of screens.

import type { Study } from "../parts/studies/study-facts.tsx"

/** Ada's study, open. */
export const heart: Study = {
  id: "heart",
  title: "Heart failure",
  summary: "How many are ill, and how old.",
  purposes: ["DUO:0000006", "XYZ:1"],
  people: ["ada", "bob"],
  starts: "2026-01-01",
  ends: "2099-12-31",
  epsilon: "0.75",
  delta: "1e-7",
  airlock: false,
  state: "active",
  suspended: false,
  proposedBy: "ada",
  voices: [
    {
      name: "coco",
      view: "concern",
      comment: "Tell us the results first.",
      at: "2026-01-02T00:00:00.000Z",
    },
  ],
  reviews: [
    { reviewer: "cleo", decision: "approve", reasons: "In proportion.", at: "2026-01-02T00:00:00.000Z" },
  ],
}
