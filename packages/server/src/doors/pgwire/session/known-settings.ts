// The settings that sessions know, with their first values and the forms of their values.

import { exactly, type Rational } from "@dosimeter/core"
import { WireError } from "../wire/wire-error.ts"

/** What is known of a setting. */
export interface Setting {
  readonly value: string
  /** Told to the client whenever it changes. */
  readonly reported?: true
  /** Gives the value in its usual form, or throws. */
  readonly check?: (value: string, name: string) => string
  readonly fixed?: true
  /** Kept and shown, without any effect: a client that sets it is told so. */
  readonly isIdle?: true
}

const onOff = (value: string, name: string): string => {
  const word = value.toLowerCase()
  if (["on", "true", "yes", "1", "t"].includes(word)) return "on"
  if (["off", "false", "no", "0", "f"].includes(word)) return "off"
  return bad(name, value, "on or off")
}

const positive = (value: string, name: string): string => {
  if (value === "") return value
  return /^\d{1,20}(\.\d{1,20})?(e-?\d{1,2})?$/i.test(value)
    ? value
    : bad(name, value, "a number such as 0.5")
}

const whole = (value: string, name: string): string =>
  value === "" || /^[1-9]\d{0,8}$/.test(value) ? value : bad(name, value, "a whole number such as 3")

const wholeOrAuto = (value: string, name: string): string =>
  value.toLowerCase() === "auto" ? "auto" : whole(value, name)

const oneOf =
  (...words: readonly string[]) =>
  (value: string, name: string): string => {
    const word = value.toLowerCase()
    const wanted = words.join(", ").replace(/, ([^,]*)$/, " or $1")
    return word === "" || words.includes(word) ? word : bad(name, value, wanted)
  }

const weightList = (value: string, name: string): string => {
  readWeights(value, name)
  return value
}

/** How long a statement may take: milliseconds, or a number with ms, s, min or h. */
const duration = (value: string, name: string): string =>
  durationMs(value) === undefined ? bad(name, value, "a time such as 500, 30s or 5min") : value

const partOrOff = (value: string, name: string): string =>
  /^(whole|noise)$/i.test(value) ? value.toLowerCase() : onOff(value, name)

const within = (value: string, name: string): string =>
  value === "" || /^\d{1,20}(\.\d{1,20})?\s*%?$/.test(value)
    ? value
    : bad(name, value, "an error such as 50 or 5%")

const utf8 = (value: string, name: string): string =>
  /^'?utf-?8'?$/i.test(value) ? "UTF8" : bad(name, value, "UTF8")

/** Every setting with its first value. Others are refused, but for those of applications, with a dot. */
export const knownSettings: Readonly<Record<string, Setting>> = {
  "dosimeter.epsilon": { value: "", check: positive },
  "dosimeter.rho": { value: "", check: positive },
  "dosimeter.within": { value: "", check: within },
  "dosimeter.groups_per_unit": { value: "", check: wholeOrAuto },
  "dosimeter.rows_per_group": { value: "", check: whole },
  "dosimeter.bounds": { value: "", check: oneOf("auto", "all", "declared") },
  "dosimeter.bounds_share": { value: "", check: positive },
  "dosimeter.norm": { value: "", check: oneOf("auto", "fixed") },
  "dosimeter.aim": { value: "", check: oneOf("below-noise", "least-error") },
  "dosimeter.keys_delta": { value: "", check: positive },
  "dosimeter.weights": { value: "", check: weightList },
  "dosimeter.non_negative": { value: "", check: onOff },
  "dosimeter.keys": { value: "auto", check: oneOf("auto", "more", "counts") },
  "dosimeter.quantile_intervals": { value: "on", check: onOff },
  "dosimeter.reuse": { value: "auto", check: oneOf("auto", "always", "never") },
  "dosimeter.study": { value: "" },
  "dosimeter.intervals": { value: "off", check: partOrOff },
  application_name: { value: "", reported: true },
  client_encoding: { value: "UTF8", reported: true, check: utf8 },
  datestyle: { value: "ISO, MDY", reported: true, check: () => "ISO, MDY" },
  timezone: { value: "UTC", reported: true, check: () => "UTC" },
  intervalstyle: {
    value: "postgres",
    reported: true,
    check: oneOf("postgres", "postgres_verbose", "sql_standard", "iso_8601"),
  },
  standard_conforming_strings: { value: "on", reported: true, check: () => "on" },
  integer_datetimes: { value: "on", reported: true, fixed: true },
  server_encoding: { value: "UTF8", reported: true, fixed: true },
  server_version: { value: "15.0", reported: true, fixed: true },
  server_version_num: { value: "150000", fixed: true },
  default_transaction_read_only: { value: "on", reported: true, check: () => "on" },
  in_hot_standby: { value: "off", reported: true, fixed: true },
  is_superuser: { value: "off", reported: true, fixed: true },
  lc_collate: { value: "C", fixed: true },
  max_identifier_length: { value: "63", fixed: true },
  statement_timeout: { value: "0", check: duration },
  // About values that no answer has, or that are written in full always.
  bytea_output: { value: "hex" },
  extra_float_digits: { value: "1" },
  ...idle({
    transaction_isolation: "serializable",
    default_transaction_isolation: "serializable",
    transaction_read_only: "on",
    search_path: "public",
    backslash_quote: "safe_encoding",
    check_function_bodies: "on",
    client_min_messages: "notice",
    default_table_access_method: "heap",
    default_tablespace: "",
    default_transaction_deferrable: "off",
    geqo: "on",
    idle_in_transaction_session_timeout: "0",
    idle_session_timeout: "0",
    jit: "off",
    lc_messages: "C",
    lc_monetary: "C",
    lc_numeric: "C",
    lc_time: "C",
    lock_timeout: "0",
    log_statement: "none",
    max_parallel_workers_per_gather: "0",
    quote_all_identifiers: "off",
    row_security: "on",
    synchronize_seqscans: "on",
    synchronous_commit: "on",
    tcp_keepalives_idle: "0",
    temp_buffers: "8MB",
    work_mem: "4MB",
    xmloption: "content",
  }),
}

function idle(values: Readonly<Record<string, string>>): Readonly<Record<string, Setting>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, isIdle: true } as const]),
  )
}

/** As clients spell those that they are told of. */
export const spelledSettings: Readonly<Record<string, string>> = {
  datestyle: "DateStyle",
  timezone: "TimeZone",
  intervalstyle: "IntervalStyle",
}

/** persons=2, visits=0.5: a column and a number each. */
export function readWeights(text: string, name: string): Readonly<Record<string, Rational>> {
  const parts = text.split(",").filter((part) => part.trim() !== "")
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.lastIndexOf("=")
      const [column, weight] = [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()]
      if (column === "" || !/^\d{1,20}(?:\.\d{1,20})?$/.test(weight))
        bad(name, text, "columns and numbers such as persons=2, visits=0.5")
      return [column, exactly(weight, name)] as const
    }),
  )
}

/** A time in milliseconds; 0 is no limit. */
export function durationMs(text: string): number | undefined {
  const [, number, unit = "ms"] = /^(\d{1,9}) ?(ms|s|min|h)?$/i.exec(text.trim()) ?? []
  const factor = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }[unit.toLowerCase()]
  if (number === undefined || factor === undefined) return undefined
  const time = Number(number) * factor
  return time < 2 ** 31 ? time : undefined
}

function bad(name: string, value: string, wanted: string): never {
  throw new WireError("22023", `${name} cannot be "${value.slice(0, 40)}"`, `write ${wanted}`)
}
