// The time of an entry: what the clock says, without the small steps back that clocks make. The order of
// entries is their position; the time is a note beside it.

/** If the clock is behind the last entry by more than this, the clock counts: the entry's time was wrong. */
const leapMs = 24 * 60 * 60 * 1000

/** The last time that can be written in four digits. */
const lastTime = "9999-12-31T23:59:59.999Z"

/**
 * The time of the next entry: never before the last one by less than a day. A clock that ran far ahead for a
 * while misdates the entries of that while only.
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
