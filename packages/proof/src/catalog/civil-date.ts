// The calendar as numbers: days since 1970-01-01 to year, month and day (proleptic Gregorian) and back.

import { microsPerDay } from "./constant.ts"
import type { Calendar } from "./domain.ts"

/** A date in its parts. */
export interface CivilDate {
  readonly year: bigint
  /** 1 to 12. */
  readonly month: bigint
  readonly day: bigint
}

/** Days from 1970-01-01 to a date. A month beyond 1 to 12 counts into other years. */
export function dayOfCivil({ year, month, day }: CivilDate): bigint {
  const months = year * 12n + month - 1n
  const y = floorDivide(months, 12n)
  const m = months - y * 12n + 1n
  // Years begin in March here, so that the leap day is the last.
  const shifted = m <= 2n ? y - 1n : y
  const era = floorDivide(shifted, 400n)
  const yearOfEra = shifted - era * 400n
  const dayOfYear = (153n * (m > 2n ? m - 3n : m + 9n) + 2n) / 5n
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear
  return era * 146_097n + dayOfEra - 719_468n + day - 1n
}

/** The date that many days after 1970-01-01. */
export function civilOfDay(days: bigint): CivilDate {
  const shifted = days + 719_468n
  const era = floorDivide(shifted, 146_097n)
  const dayOfEra = shifted - era * 146_097n
  const yearOfEra = (dayOfEra - dayOfEra / 1460n + dayOfEra / 36_524n - dayOfEra / 146_096n) / 365n
  const dayOfYear = dayOfEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n)
  const marchMonth = (5n * dayOfYear + 2n) / 153n
  const month = marchMonth < 10n ? marchMonth + 3n : marchMonth - 9n
  const year = yearOfEra + era * 400n + (month <= 2n ? 1n : 0n)
  return { year, month, day: dayOfYear - (153n * marchMonth + 2n) / 5n + 1n }
}

/** 0001-01-01 and 9999-12-31: every date and time that is read lies between them. */
export const firstDay: bigint = dayOfCivil({ year: 1n, month: 1n, day: 1n })
/** The last day that is read. */
export const lastDay: bigint = dayOfCivil({ year: 9999n, month: 12n, day: 31n })
/** The first microsecond that is read. */
export const firstMicro: bigint = firstDay * microsPerDay
/** The last microsecond that is read. */
export const lastMicro: bigint = (lastDay + 1n) * microsPerDay - 1n

/** The first day of the week (from Monday), month, quarter or year of a day. */
export function truncateDay(days: bigint, unit: Exclude<Calendar, "hour">): bigint {
  if (unit === "day") return days
  // 1970-01-05 was a Monday.
  if (unit === "week") return floorDivide(days - 4n, 7n) * 7n + 4n
  const { year, month } = civilOfDay(days)
  if (unit === "month") return dayOfCivil({ year, month, day: 1n })
  if (unit === "quarter") return dayOfCivil({ year, month: month - ((month - 1n) % 3n), day: 1n })
  return dayOfCivil({ year, month: 1n, day: 1n })
}

/** The first day of the next week, month, quarter or year, given that of one. */
export function nextDay(days: bigint, unit: Exclude<Calendar, "hour">): bigint {
  if (unit === "day") return days + 1n
  if (unit === "week") return days + 7n
  return addMonths(days, unit === "month" ? 1n : unit === "quarter" ? 3n : 12n)
}

/** The same day some months later, or the last one of that month if it has no such day. */
export function addMonths(days: bigint, months: bigint): bigint {
  const { year, month, day } = civilOfDay(days)
  const first = dayOfCivil({ year, month: month + months, day: 1n })
  const next = dayOfCivil({ year, month: month + months + 1n, day: 1n })
  return day <= next - first ? first + day - 1n : next - 1n
}

/** YYYY-MM-DD, for days from 0001-01-01 to 9999-12-31. */
export function showDay(days: bigint): string {
  const { year, month, day } = civilOfDay(days)
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** YYYY-MM-DD HH:MM:SS, with six more digits if the microseconds are not 0. */
export function showMicros(micros: bigint): string {
  const days = floorDivide(micros, microsPerDay)
  const rest = micros - days * microsPerDay
  const seconds = rest / 1_000_000n
  const time = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => pad(part, 2)).join(":")
  const part = rest % 1_000_000n
  return `${showDay(days)} ${time}${part === 0n ? "" : `.${pad(part, 6)}`}`
}

/** floor(n / d) for d > 0. */
export function floorDivide(n: bigint, d: bigint): bigint {
  const quotient = n / d
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient
}

function pad(value: bigint, digits: number): string {
  return `${value}`.padStart(digits, "0")
}
