// How logic, comparisons and choices are written.

import { argAs, argOf, commonDomain, ordered, type Spell } from "./spell.ts"
import { settled, storedType } from "./stored.ts"

const truth = { kind: "boolean" } as const

function chain(word: "AND" | "OR"): Spell {
  return (written) => {
    const parts = written.args.map((_, index) => argOf(written, index, truth))
    return parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(` ${word} `)})`
  }
}

/** Both sides in one stored type; texts by code points. */
function comparison(operator: string): Spell {
  return (written) => {
    const common = commonDomain(written)
    const [left, right] = [argAs(written, 0, common), argAs(written, 1, common)]
    return `(${ordered(left, common.type, written.dialect)} ${operator} ${right})`
  }
}

/**
 * Never IS DISTINCT FROM itself: DuckDB 1.5 pushes it into the scan together with other conditions on the
 * column, and drops all rows of a row group whose values are all NULL. One person's value would decide for
 * others.
 */
const distinctFrom: Spell = (written) => {
  const common = commonDomain(written)
  const [left, right] = [argAs(written, 0, common), argAs(written, 1, common)]
  const differ = `${ordered(left, common.type, written.dialect)} <> ${right}`
  return `CASE WHEN ${left} IS NULL THEN ${right} IS NOT NULL WHEN ${right} IS NULL THEN TRUE ELSE ${differ} END`
}

const inList: Spell = (written) => {
  const common = commonDomain(written)
  const [first, ...items] = written.args.map((_, index) => argAs(written, index, common))
  const isShort = items.length <= shortList && common.type.kind === "text"
  const isPlain = written.arguments.slice(1).every(({ literal }) => literal?.kind === "text")
  const { lists } = written.dialect.texts
  if (lists !== undefined && first !== undefined && isShort && isPlain) return lists.contains(items, first)
  return `(${first} IN (${items.join(", ")}))`
}

/** Longer lists are looked up by hash. */
const shortList = 16

/** The spellings of logic. */
export const logicSpellings = {
  and: chain("AND"),
  or: chain("OR"),
  not: (written) => `(NOT ${argOf(written, 0, truth)})`,
  "is-null": ({ args }) => `(${args[0]} IS NULL)`,
  "is-true": (written) => `COALESCE(${argOf(written, 0, truth)}, FALSE)`,
  "is-false": (written) => `COALESCE(NOT ${argOf(written, 0, truth)}, FALSE)`,
  equal: comparison("="),
  "not-equal": comparison("<>"),
  less: comparison("<"),
  "less-or-equal": comparison("<="),
  greater: comparison(">"),
  "greater-or-equal": comparison(">="),
  "distinct-from": distinctFrom,
  "in-list": inList,
} satisfies Readonly<Record<string, Spell>>

const coalesce: Spell = (written) => {
  const parts = written.args.map((_, index) => argAs(written, index, written.result))
  return parts.length === 1 ? (parts[0] ?? "") : `COALESCE(${parts.join(", ")})`
}

const nullif: Spell = (written) => {
  const common = commonDomain(written)
  const { dialect, result } = written
  const [left, right] = [argAs(written, 0, common), argAs(written, 1, common)]
  if (storedType(common, dialect) === storedType(result, dialect)) return `NULLIF(${left}, ${right})`
  return `CASE WHEN ${left} = ${right} THEN NULL ELSE ${argAs(written, 0, result)} END`
}

/** What is NULL is left out. */
function extreme(name: "greatest" | "least"): Spell {
  return (written) => {
    const { dialect, result } = written
    const common = commonDomain(written)
    const parts = written.args.map((_, index) => argAs(written, index, common))
    const [first = "", ...others] = parts
    if (others.length === 0) return settled(first, storedType(common, dialect), { to: result, dialect })
    const chosen = dialect.numbers[name]([ordered(first, common.type, dialect), ...others])
    // What is chosen is inside the result, though not everything that it is chosen from.
    return settled(chosen, storedType(common, dialect), { to: result, dialect })
  }
}

/** Never LEAST and GREATEST: they would turn NULL into a bound. */
const clamp: Spell = (written) => {
  const { dialect, result } = written
  const common = commonDomain(written)
  const [x, low, high] = [argAs(written, 0, common), argAs(written, 1, common), argAs(written, 2, common)]
  const text = `CASE WHEN ${x} < ${low} THEN ${low} WHEN ${x} > ${high} THEN ${high} ELSE ${x} END`
  return settled(text, storedType(common, dialect), { to: result, dialect })
}

/** The spellings of choices. */
export const choiceSpellings = {
  coalesce,
  nullif,
  greatest: extreme("greatest"),
  least: extreme("least"),
  clamp,
} satisfies Readonly<Record<string, Spell>>
