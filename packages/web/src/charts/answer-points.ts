// From a released table to what a chart draws: one point a row, with its interval and its state.

import { isMeasured, missing, type Answer, type AnswerCell, type AnswerColumn } from "../api/answer.ts"

/** One row of the answer, as it is drawn. */
export interface AnswerPoint {
  /** The group, in words. */
  readonly group: string
  /** The last group column, where there are several: it gives the colour. */
  readonly series: string
  readonly value: number | undefined
  readonly low: number | undefined
  readonly high: number | undefined
  /** Of the noise alone; the same where nothing else is in the interval. */
  readonly noiseLow: number | undefined
  readonly noiseHigh: number | undefined
  /** Whether its interval has no upper end: then `high` is that of the noise. */
  readonly isOpen: boolean
  readonly isBelow: boolean
}

/** What can be drawn of an answer. */
export interface AnswerPoints {
  readonly points: readonly AnswerPoint[]
  /** Whether groups have an order of their own, such as years: then they go from left to right. */
  readonly isOrdered: boolean
  readonly groupName: string
  readonly seriesName: string
}

/** The columns that a chart can show. */
export function drawableColumns({ columns }: Answer): readonly AnswerColumn[] {
  return groupColumns({ columns }).length === 0 ? [] : columns.filter(isMeasured)
}

/** The points of one measured column. */
export function pointsOf(answer: Answer, column: string): AnswerPoints {
  const { first, last } = placesOf(answer)
  const textOf = (row: Readonly<Record<string, AnswerCell>>, list: readonly AnswerColumn[]): string =>
    list.map(({ name }) => `${row[name]?.value ?? "–"}`).join(" · ")
  return {
    points: answer.rows.map((row) => {
      const cell = row[column] ?? missing
      const noiseHigh = numberIn(cell.noiseHigh ?? cell.high)
      const isOpen = cell.high === null && noiseHigh !== undefined
      return {
        group: textOf(row, first),
        series: last === undefined ? "" : textOf(row, [last]),
        value: numberIn(cell.value),
        low: numberIn(cell.low),
        high: isOpen ? noiseHigh : numberIn(cell.high),
        noiseLow: numberIn(cell.noiseLow ?? cell.low),
        noiseHigh,
        isOpen,
        isBelow: cell.state === "below-threshold",
      }
    }),
    isOrdered: first.length === 1 && first.every((one) => isInOrder(one, answer.rows.length)),
    groupName: first.map(({ name }) => name).join(" · "),
    seriesName: last?.name ?? "",
  }
}

/**
 * Which columns are groups and which gives the colour: the last one, but of a group and a time the group, so
 * that times go from left to right with a curve for each group.
 */
function placesOf(answer: Answer): {
  readonly first: readonly AnswerColumn[]
  readonly last: AnswerColumn | undefined
} {
  const groups = groupColumns(answer)
  const last = groups.length > 1 ? groups.at(-1) : undefined
  const ordered = groups.filter((one) => isInOrder(one, answer.rows.length))
  const [time, ...more] = ordered
  const [group] = groups.filter((one) => one !== time)
  if (groups.length === 2 && time !== undefined && more.length === 0) return { first: [time], last: group }
  return { first: last === undefined ? groups : groups.slice(0, -1), last }
}

/** The labels below a chart of a width: as many groups as there is room for, dates as short as possible. */
export function shownTicks(groups: readonly string[], width: number) {
  const dates = groups.filter((group) => /^\d{4}-\d\d-\d\d$/.test(group))
  const cut = dates.length === 0 || dates.length < groups.length - 1 ? 0 : partOfDate(dates)
  const tickFormat = (group: string): string =>
    cut > 0 && dates.includes(group) ? group.slice(0, cut) : group
  const longest = Math.max(1, ...groups.map((group) => tickFormat(group).length))
  const step = Math.ceil((groups.length * (longest * 7 + 18)) / Math.max(width, 1))
  return { ticks: groups.filter((_, index) => index % step === 0), tickFormat }
}

/** The precision that distinguishes the dates: years, months or days. */
function partOfDate(dates: readonly string[]): number {
  if (dates.every((date) => date.endsWith("-01-01"))) return 4
  return dates.every((date) => date.endsWith("-01")) ? 7 : 10
}

/** Whether groups have an order: times and quantities have one, numbers that are ids have none. */
function isInOrder({ name, type }: AnswerColumn, rows: number): boolean {
  if (/^(date|timestamp)/.test(type)) return true
  return /^(integer|decimal)/.test(type) && !name.endsWith("_id") && rows > 2
}

function groupColumns({ columns }: Pick<Answer, "columns">): readonly AnswerColumn[] {
  return columns.filter((column) => !isMeasured(column))
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}
