// The time of an entry: what the clock says, without the small steps back that clocks make. The order of
// entries is their position; the time is a note beside it.

/** A clock that is behind the last entry by more than this is believed: one of the two was wrong by days. */
const leapMs = 24 * 60 * 60 * 1000

/** The last time that can be written in four digits. */
const lastTime = "9999-12-31T23:59:59.999Z"

/**
 * The time of the next entry: never before the last one by less than a day. A clock that once ran far ahead
 * dates the entries that were made meanwhile, and no others.
 */
export function nextTime(now: Date, last: string): string {
  const text = now.getTime() > Date.parse(lastTime) ? lastTime : now.toISOString()
  return isBackward(text, last) ? last : text
}

/** Whether a time is before the last one by a step that is never written. */
export function isBackward(at: string, last: string): boolean {
  if (last === "" || at >= last) return false
  return Date.parse(last) - Date.parse(at) <= leapMs
}
