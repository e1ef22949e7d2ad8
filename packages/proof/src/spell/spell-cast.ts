// How casts are written. A text is cast only if it is written like the type: then the cast has no error, and
// every database reads it the same way.

import { unreachable } from "@dosimeter/core/errors"
import { negate, rational } from "@dosimeter/core/exact"
import type { Domain } from "../catalog/domain.ts"
import { sameType } from "../catalog/sql-type.ts"
import { floatToIntegerMax, hasInteger, textDigitsMax } from "../functions/cast.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import { writeDouble, writeText } from "./literal.ts"
import { isNumeric, scaleOf } from "../functions/numeric-domain.ts"
import { castTo, type Spell } from "./spell.ts"
import { exactCast, floatAsDecimal } from "./spell-math.ts"
import { coerce, storedType } from "./stored.ts"

const digits = `[0-9]{1,${textDigitsMax}}`
const someDigits = "[0-9]{1,30}"
const year = "([0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})"
const fourth = "(0[48]|[2468][048]|[13579][26])"
const leapDay = `([0-9]{2}${fourth}|${fourth}00)-02-29`
const shortMonth = "02-(0[1-9]|1[0-9]|2[0-8])"
const month30 = "(0[469]|11)-(0[1-9]|[12][0-9]|30)"
const month31 = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
const day = `(${year}-(${month31}|${month30}|${shortMonth})|${leapDay})`
const time = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"

/** What texts are written like, in regular expressions that mean the same everywhere. */
const shapes = {
  integer: `[-+]?${digits}`,
  decimal: `[-+]?(${digits}([.][0-9]{0,30})?|[.]${someDigits})`,
  float: `[-+]?(${someDigits}([.][0-9]{0,30})?|[.]${someDigits})([eE][-+]?[0-9]{1,2})?`,
  date: day,
  timestamp: `${day}([ T]${time})?`,
} as const

const yes = ["t", "tr", "tru", "true", "y", "ye", "yes", "on", "1"]
const no = ["f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0"]

/** The spelling of a cast. */
export const castSpelling: Spell = ({ args: [text = "NULL"], domains: [from], result, dialect }) =>
  from === undefined || from.type.kind === "null"
    ? castTo("NULL", result, dialect)
    : writeCast(text, { from, to: result, dialect })

interface Cast {
  readonly from: Domain
  readonly to: Domain
  readonly dialect: DialectSpelling
}

function writeCast(text: string, { from, to, dialect }: Cast): string {
  if (sameType(from.type, to.type)) return coerce(text, { from, to }, dialect)
  if (from.type.kind === "text") return castText(text, to, dialect)
  if (to.type.kind === "text") return toText(text, from, dialect)
  if (from.type.kind === "float" && to.type.kind === "integer")
    return floatToInteger(text, { from, to, dialect })
  if (from.type.kind === "float" && to.type.kind === "decimal") return floatAsDecimal(text, to, dialect)
  if (
    isNumeric(from.type) &&
    isNumeric(to.type) &&
    scaleOf(from.type) > scaleOf(to.type) &&
    to.type.kind !== "float"
  ) {
    return exactCast(text, to, dialect)
  }
  if (to.type.kind === "boolean") return `(${text} <> 0)`
  if (from.type.kind === "boolean") return `CASE WHEN ${text} THEN 1 WHEN NOT ${text} THEN 0 END`
  return storedType(from, dialect) === storedType(to, dialect) ? text : castTo(text, to, dialect)
}

/** Halves to even; NULL beyond 64 bits. */
function floatToInteger(text: string, { from, to, dialect }: Cast): string {
  const isRounded = dialect.casts.roundsToEven(from.range?.min.value ?? rational(0n))
  const cast = castTo(isRounded ? text : dialect.numbers.roundEven(text), to, dialect)
  if (from.range !== undefined && hasInteger(from.range)) return cast
  const [low, high] = [negate(floatToIntegerMax), floatToIntegerMax].map((end) => writeDouble(end, dialect))
  return `CASE WHEN ${text} > ${low} AND ${text} < ${high} THEN ${cast} END`
}

function castText(text: string, to: Domain, dialect: DialectSpelling): string {
  const trimmed = dialect.texts.trim("BOTH", text, "' '")
  const { kind } = to.type
  if (kind === "boolean") {
    const list = (words: readonly string[]): string =>
      words.map((word) => writeText(word, dialect)).join(", ")
    const word = `lower(${trimmed})`
    return `CASE WHEN ${word} IN (${list(yes)}) THEN TRUE WHEN ${word} IN (${list(no)}) THEN FALSE END`
  }
  if (kind === "text" || kind === "interval" || kind === "null") return text
  const cast =
    kind === "integer" || kind === "decimal" ? exactCast(trimmed, to, dialect) : castTo(trimmed, to, dialect)
  return `CASE WHEN ${dialect.texts.isLike(text, ` *${shapes[kind]} *`)} THEN ${cast} END`
}

/** Dates and times in one form, whatever the settings of the session. */
export function toText(text: string, from: Domain, dialect: DialectSpelling): string {
  const plain = `CAST(${text} AS ${storedType({ type: { kind: "text" } }, dialect)})`
  switch (from.type.kind) {
    case "date":
      return dialect.dates.dateText(text)
    case "timestamp":
      return `rtrim(rtrim(${dialect.dates.timestampText(text)}, '0'), '.')`
    case "decimal":
      return dialect.numbers.decimalText(text, from.type.scale)
    case "boolean":
      return `CASE WHEN ${text} THEN 'true' WHEN NOT ${text} THEN 'false' END`
    case "integer":
    case "float":
    case "text":
    case "interval":
    case "null":
      return plain
    default:
      return unreachable(from.type)
  }
}
