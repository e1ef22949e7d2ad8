// Columns for the check: a claimed domain, mostly narrow, with its ends at corners, and the values inside it
// that are likely to show that something derived from it is false.

import { rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import type { Constant } from "../../catalog/constant.ts"
import type { Calendar, Domain } from "../../catalog/domain.ts"
import type { SqlType } from "../../catalog/sql-type.ts"
import type { Dice } from "../dice.ts"
import {
  besideDouble,
  calendarDays,
  dayCorners,
  dayMicros,
  exactMost,
  floatCorners,
  hugeCorners,
  lastDayHeld,
  smallCorners,
  textCorners,
  timeCorners,
  wideCorners,
} from "./corners.ts"

/** A column: what is claimed of it, and what it holds. */
export interface Slot {
  readonly domain: Domain
  readonly values: readonly Constant[]
}

/**
 * What a column is for. `modest` numbers are small enough for powers and lengths, the `widest` are as large
 * as any that are held.
 */
export type SlotKind =
  | "boolean"
  | "integer"
  | "decimal"
  | "float"
  | "modest"
  | "widest"
  | "text"
  | "date"
  | "timestamp"

/** Most values of one column. */
const valuesMax = 14

/** A column of a kind, from dice. */
export function randomSlot(kind: SlotKind, dice: Dice): Slot {
  switch (kind) {
    case "boolean":
      return booleanSlot(dice)
    case "integer":
      return exactSlot({ scale: undefined, corners: dice.pick(cornerLists), limit: exactMost }, dice)
    case "decimal":
      return exactSlot({ scale: dice.below(13), corners: dice.pick(cornerLists), limit: exactMost }, dice)
    case "widest": {
      const scale = dice.chance(0.5) ? undefined : dice.below(13)
      return exactBetween(
        { low: exactMost - BigInt(dice.below(3)), high: dice.chance(0.5) ? -exactMost : exactMost, scale },
        dice,
      )
    }
    case "modest": {
      const scale = dice.chance(0.5) ? undefined : 1 + dice.below(2)
      return exactSlot({ scale, corners: smallCorners, limit: 60n }, dice)
    }
    case "float":
      return floatSlot(dice)
    case "text":
      return textSlot(dice)
    case "date":
    case "timestamp":
      return dice.chance(0.2)
        ? calendarSlot(kind, dice)
        : kind === "date"
          ? dateSlot(dice)
          : timestampSlot(dice)
    default:
      return kind satisfies never
  }
}

const cornerLists = [smallCorners, smallCorners, wideCorners, wideCorners, hugeCorners] as const
const widths = [0n, 1n, 1n, 2n, 5n, 10n, 100n, 86_400n, 1_000_000n, 10n ** 12n]

interface Exact {
  /** Undefined for whole numbers. */
  readonly scale: number | undefined
  readonly corners: readonly bigint[]
  readonly limit: bigint
}

function exactSlot({ scale, corners, limit }: Exact, dice: Dice): Slot {
  if (dice.chance(0.08)) return exactBetween({ low: 0n, high: BigInt(dice.below(2)), limit, scale }, dice)
  // The point of a decimal may stand at a corner too.
  const unit = scale !== undefined && dice.chance(0.5) ? 10n ** BigInt(scale) : 1n
  const near = (): bigint =>
    dice.pick(corners) * unit + BigInt(dice.below(5) - 2) + (unit * BigInt(dice.below(11))) / 10n
  const one = near()
  const other = dice.chance(0.6) ? one + dice.pick(widths) : near()
  return exactBetween({ low: one, high: other, limit, scale }, dice)
}

/** The ends of exact numbers. */
export interface ExactEnds {
  readonly low: bigint
  readonly high: bigint
  /** The largest size. */
  readonly limit?: bigint
  /** Digits after the point; undefined for whole numbers. */
  readonly scale: number | undefined
}

/** Whole numbers, or decimals without their point, between two ends. */
export function exactBetween({ scale, ...ends }: ExactEnds, dice: Dice): Slot {
  const limit = ends.limit ?? exactMost
  const [low, high] = ordered(within(ends.low, limit), within(ends.high, limit))
  const all = [...smallCorners, ...wideCorners, ...hugeCorners]
  const inside = all.flatMap((corner) => [corner - 1n, corner, corner + 1n])
  const found = pointsBetween({ low, high, inside }, dice)
  const unit = scale === undefined ? 1n : 10n ** BigInt(scale)
  const type: SqlType = scale === undefined ? { kind: "integer" } : { kind: "decimal", scale }
  const values = found.map((value): Constant => ({ kind: "number", value: rational(value, unit) }))
  return ranged({ type, low: rational(low, unit), high: rational(high, unit), values }, dice)
}

function within(value: bigint, limit: bigint): bigint {
  return value > limit ? limit : value < -limit ? -limit : value
}

function ordered(a: bigint, b: bigint): readonly [bigint, bigint] {
  return a <= b ? [a, b] : [b, a]
}

/** Both ends and what lies next to them, some corners between, and some others. */
function pointsBetween(
  { low, high, inside }: { readonly low: bigint; readonly high: bigint; readonly inside: readonly bigint[] },
  dice: Dice,
): readonly bigint[] {
  const isInside = (value: bigint): boolean => value >= low && value <= high
  const span = high - low
  const anywhere = (): bigint => low + (span * BigInt(dice.below(1_000_001))) / 1_000_000n
  const ends = [low, high, low + 1n, high - 1n, low + span / 2n]
  const some = dice.shuffled([...new Set(inside.filter(isInside))]).slice(0, 7)
  return [...new Set([...ends.filter(isInside), ...some, anywhere(), anywhere()])].slice(0, valuesMax)
}

function floatSlot(dice: Dice): Slot {
  const near = (): number => {
    const corner = dice.pick(floatCorners)
    return dice.chance(0.5) ? corner : besideDouble(corner, dice.pick([1, -1]))
  }
  const one = near()
  const other = dice.chance(0.3) ? besideDouble(one, 1) : dice.chance(0.4) ? -one : near()
  return floatBetween(one, other, dice)
}

/** Doubles between two ends. */
export function floatBetween(one: number, other: number, dice: Dice): Slot {
  const [low, high] = one <= other ? [one, other] : [other, one]
  const beside = floatCorners.flatMap((corner) => [corner, besideDouble(corner, 1), besideDouble(corner, -1)])
  const inside = dice.shuffled(beside.filter((value) => value > low && value < high)).slice(0, 8)
  const all = [low, high, besideDouble(low, 1), besideDouble(high, -1), low / 2 + high / 2, ...inside]
  const held = [...new Set(all.filter((value) => value >= low && value <= high))].slice(0, valuesMax)
  const values = held.map((value): Constant => ({ kind: "number", value: rationalOfNumber(value) }))
  return ranged(
    { type: { kind: "float" }, low: rationalOfNumber(low), high: rationalOfNumber(high), values },
    dice,
  )
}

function dateSlot(dice: Dice): Slot {
  const one = dice.pick(dayCorners)
  const other = dice.chance(0.6) ? one + BigInt(dice.below(5)) : dice.pick(dayCorners)
  return datesBetween(one, other, dice)
}

/** Days between two ends. */
export function datesBetween(one: bigint, other: bigint, dice: Dice): Slot {
  const [low, high] = ordered(one, other > lastDayHeld ? lastDayHeld : other)
  const values = pointsBetween({ low, high, inside: dayCorners }, dice).map((day): Constant => ({
    kind: "date",
    day,
  }))
  return ranged({ type: { kind: "date" }, low: rational(low), high: rational(high), values }, dice)
}

function timestampSlot(dice: Dice): Slot {
  const moment = (): bigint => dice.pick(dayCorners) * dayMicros + dice.pick(timeCorners)
  const one = moment()
  const steps = [0n, 1n, 1_000_000n, 3_000_000n, dayMicros - 1n, dayMicros, dayMicros + 1n, 3n * dayMicros]
  const other = dice.chance(0.7) ? one + dice.pick(steps) : moment()
  return timesBetween(one, other, dice)
}

/** Moments between two ends. */
export function timesBetween(one: bigint, other: bigint, dice: Dice): Slot {
  const last = (lastDayHeld + 1n) * dayMicros - 1n
  const [low, high] = ordered(one, other > last ? last : other)
  const days = [low, high].map(
    (micros) => (micros - (((micros % dayMicros) + dayMicros) % dayMicros)) / dayMicros,
  )
  const nearby = days.flatMap((day) => [day - 1n, day, day + 1n, day + 2n])
  const inside = [...nearby, ...dice.shuffled(dayCorners).slice(0, 40)].flatMap((day) =>
    timeCorners.map((time) => day * dayMicros + time),
  )
  const values = pointsBetween({ low, high, inside }, dice).map((micros): Constant => ({
    kind: "timestamp",
    micros,
  }))
  return ranged({ type: { kind: "timestamp" }, low: rational(low), high: rational(high), values }, dice)
}

/** Dates or times that were cut to a unit. */
function calendarSlot(kind: "date" | "timestamp", dice: Dice): Slot {
  const unit = dice.pick(["week", "month", "quarter", "year"] as const)
  const days = dice.shuffled(calendarDays[unit]).slice(0, 1 + dice.below(6))
  const scale = kind === "date" ? 1n : dayMicros
  const places = days.map((day) => day * scale).toSorted((a, b) => (a < b ? -1 : 1))
  const values = places.map((place): Constant =>
    kind === "date" ? { kind: "date", day: place } : { kind: "timestamp", micros: place },
  )
  const [low = 0n] = places
  const slot = ranged(
    { type: { kind }, low: rational(low), high: rational(places.at(-1) ?? 0n), values },
    dice,
  )
  const calendar: Calendar = unit
  return { ...slot, domain: { ...slot.domain, calendar } }
}

function textSlot(dice: Dice): Slot {
  const texts = dice.shuffled(textCorners).slice(0, 1 + dice.below(valuesMax))
  const values = texts.map((value): Constant => ({ kind: "text", value }))
  const list = dice.chance(0.3) ? { values } : {}
  const free = dice.chance(0.2) ? { freeText: true as const } : {}
  return withNull({ domain: { type: { kind: "text" }, nullable: false, ...list, ...free }, values }, dice)
}

function booleanSlot(dice: Dice): Slot {
  const values = dice
    .pick([[true, false], [true, false], [true], [false]])
    .map((value): Constant => ({ kind: "boolean", value }))
  return withNull({ domain: { type: { kind: "boolean" }, nullable: false }, values }, dice)
}

interface Ranged {
  readonly type: SqlType
  readonly low: Rational
  readonly high: Rational
  readonly values: readonly Constant[]
}

function ranged({ type, low, high, values }: Ranged, dice: Dice): Slot {
  const declared = dice.chance(0.7)
  const range = { min: { value: low, declared }, max: { value: high, declared } }
  const list = dice.chance(0.15) ? { values } : {}
  return withNull({ domain: { type, nullable: false, range, ...list }, values }, dice)
}

function withNull(slot: Slot, dice: Dice): Slot {
  if (dice.chance(0.5)) return slot
  return { domain: { ...slot.domain, nullable: true }, values: [...slot.values, { kind: "null" }] }
}
