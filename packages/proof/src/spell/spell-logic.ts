// How logic, comparisons and choices are written.

import { argAs, argOf, commonDomain, inEach, ordered, type Spell } from "./spell.ts"
import { settled, storedType } from "../functions/stored.ts"

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
  // DuckDB asks a function of one column once for each text that is stored, not for each row.
  const isShort = items.length <= shortList && common.type.kind === "text"
  const isPlain = written.arguments.slice(1).every(({ literal }) => literal?.kind === "text")
  if (written.dialect === "duckdb" && isShort && isPlain)
    return `list_contains([${items.join(", ")}], ${first})`
  return `(${first} IN (${items.join(", ")}))`
}

/** Longer lists are looked up by hash. */
const shortList = 16

/** The spellings of logic. */
export const logicSpellings = {
  and: inEach(chain("AND")),
  or: inEach(chain("OR")),
  not: inEach((written) => `(NOT ${argOf(written, 0, truth)})`),
  "is-null": inEach(({ args }) => `(${args[0]} IS NULL)`),
  "is-true": inEach((written) => `COALESCE(${argOf(written, 0, truth)}, FALSE)`),
  "is-false": inEach((written) => `COALESCE(NOT ${argOf(written, 0, truth)}, FALSE)`),
  equal: inEach(comparison("=")),
  "not-equal": inEach(comparison("<>")),
  less: inEach(comparison("<")),
  "less-or-equal": inEach(comparison("<=")),
  greater: inEach(comparison(">")),
  "greater-or-equal": inEach(comparison(">=")),
  "distinct-from": inEach(distinctFrom),
  "in-list": inEach(inList),
}

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

/** Trino's own give NULL as soon as one argument is NULL. */
function extreme(word: "GREATEST" | "LEAST"): Spell {
  return (written) => {
    const { dialect, result } = written
    const common = commonDomain(written)
    const parts = written.args.map((_, index) => argAs(written, index, common))
    const [first = "", ...others] = parts
    if (others.length === 0) return settled(first, storedType(common, dialect), { to: result, dialect })
    const chosen =
      dialect === "trino"
        ? `${word === "GREATEST" ? "array_max" : "array_min"}(filter(ARRAY[${parts.join(", ")}], v -> v IS NOT NULL))`
        : `${word}(${[ordered(first, common.type, dialect), ...others].join(", ")})`
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
  coalesce: inEach(coalesce),
  nullif: inEach(nullif),
  greatest: inEach(extreme("GREATEST")),
  least: inEach(extreme("LEAST")),
  clamp: inEach(clamp),
}
