// Counts as offices publish them under two usual rules, and the attacks on both: a count with a person and
// the same without, until the rule gives the difference away.

import type { ExactRows } from "../../dataset/duckdb/exact-rows.ts"
import type { AttackResult } from "../measures/risk-report.ts"
import type { AttackedPerson } from "./attacked-table.ts"

/** A count as it is published; undefined where it is not. */
export type CountRule = (count: number) => number | undefined

/** No count of 1 to 10. */
export const suppressBelow11: CountRule = (count) => (count === 0 || count >= 11 ? count : undefined)

/** No count of 7 or less, others to the nearest 5. */
export const roundTo5: CountRule = (count) => (count <= 7 ? undefined : Math.round(count / 5) * 5)

/** How many people, known to be alone in their classes, the attack on rounding adds. */
export const padsNeeded = 4

/** Asks for the count of those with the fact, and of those without the target; the difference is the fact. */
export async function attackHidden(
  rows: ExactRows,
  targets: readonly AttackedPerson[],
): Promise<AttackResult> {
  const guesses: Guess[] = []
  for (const target of targets) {
    const counts = await countsOf(rows, ["bit = 1", `bit = 1 AND class_no <> ${target.class}`])
    const [all, others] = counts.map(suppressBelow11)
    guesses.push(guess(target, all === undefined || others === undefined ? undefined : all > others))
  }
  return { kind: "hidden", queries: 2, ...resultOf(guesses) }
}

/**
 * Adds 0 to 4 known people to both counts. Rounded counts of 5 consecutive numbers jump exactly once, and the
 * jumps of both are at the same place if and only if the counts are equal.
 */
export async function attackRounded(
  rows: ExactRows,
  targets: readonly AttackedPerson[],
  known: readonly AttackedPerson[],
): Promise<AttackResult> {
  const guesses: Guess[] = []
  for (const target of targets) {
    const pads = known.filter((person) => person.class !== target.class).slice(0, padsNeeded)
    const classes = pads.map((person) => person.class)
    const padded = (base: string): readonly string[] =>
      Array.from({ length: padsNeeded + 1 }, (_, count) => {
        const outside = `${base} AND class_no NOT IN (${classes.join(", ")})`
        return count === 0 ? outside : `(${outside}) OR class_no IN (${classes.slice(0, count).join(", ")})`
      })
    const conditions = [...padded("bit = 1"), ...padded(`bit = 1 AND class_no <> ${target.class}`)]
    const shown = (await countsOf(rows, conditions)).map(roundTo5)
    const isHidden = shown.includes(undefined)
    const differs = shown
      .slice(0, padsNeeded + 1)
      .some((count, index) => count !== shown[index + padsNeeded + 1])
    guesses.push(guess(target, isHidden ? undefined : differs))
  }
  return { kind: "rounded", queries: 2 * (padsNeeded + 1), ...resultOf(guesses) }
}

async function countsOf(rows: ExactRows, conditions: readonly string[]): Promise<readonly number[]> {
  const counts = conditions.map((condition) => `count(*) FILTER (${condition})`)
  const [found = []] = await rows.ask(`SELECT ${counts.join(", ")} FROM attacked`)
  return found.map(Number)
}

/** How right a guess was: a coin is half right. */
interface Guess {
  readonly right: number
  readonly hidden: boolean
}

function guess(target: AttackedPerson, says: boolean | undefined): Guess {
  if (says === undefined) return { right: 0.5, hidden: true }
  return { right: says === (target.bit === 1) ? 1 : 0, hidden: false }
}

function resultOf(guesses: readonly Guess[]): Pick<AttackResult, "targets" | "right" | "hidden"> {
  return {
    targets: guesses.length,
    right: guesses.reduce((sum, { right }) => sum + right, 0) / Math.max(1, guesses.length),
    hidden: guesses.filter(({ hidden }) => hidden).length,
  }
}
