// The parts of the dose meter's bar.

import type { Used } from "@dosimeter/core/accounting"

/** The parts of the bar, from 0 to 1; what does not fit takes all that is left. */
export function sharesOf(used: Used, after: Used, fits: boolean) {
  const spent = Math.min(1, used.share)
  const now = fits ? Math.max(0, Math.min(1, after.share) - spent) : 1 - spent
  return { spent, now, left: fits ? Math.max(0, 1 - spent - now) : 1 - spent }
}
