// Re-use of running totals.

import type { StrategyReuse } from "./strategy-reuse.ts"

/** Totals share their draws, and go on with the data: no later question is worked out from them. */
export const totalsReuse: StrategyReuse<"totals"> = {
  noise: () => undefined,
  law: () => undefined,
  zeros: () => [],
}
