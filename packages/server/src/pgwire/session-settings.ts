// The settings of a session: what drivers set unasked, and those of Dosimeter that shape the next question.

import { exactly, rational, type Rational } from "@dosimeter/core"
import { readTarget, type WithinTarget } from "@dosimeter/engine"
import type { Ask } from "@dosimeter/sql"
import { WireError } from "./wire-error.ts"

/** What settings say about a question. */
export interface AskedBySettings {
  readonly ask: Ask
  readonly rho: Rational | undefined
  readonly reuse?: "auto" | "always" | "never"
  readonly within: WithinTarget | undefined
  readonly study: string | undefined
}

interface Setting {
  readonly value: string
  /** Told to the client whenever it changes. */
  readonly reported?: true
  /** Gives the value in its usual form, or throws. */
  readonly check?: (value: string, name: string) => string
  readonly fixed?: true
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
  weightsOf(value, name)
  return value
}

const shareOrOff = (value: string, name: string): string => {
  const isWord = /^(on|off|true|false|yes|no|0|1|t|f)$/i.test(value)
  if (isWord) return onOff(value, name)
  return /^0\.\d{1,20}$/.test(value) ? value : bad(name, value, "on, off, or a share such as 0.1")
}

const within = (value: string, name: string): string =>
  value === "" || /^\d{1,20}(\.\d{1,20})?\s*%?$/.test(value)
    ? value
    : bad(name, value, "an error such as 50 or 5%")

const utf8 = (value: string, name: string): string =>
  /^'?utf-?8'?$/i.test(value) ? "UTF8" : bad(name, value, "UTF8")

/** Every setting with its first value. What is not here is kept and has no effect. */
const known: Readonly<Record<string, Setting>> = {
  "dosimeter.epsilon": { value: "", check: positive },
  "dosimeter.rho": { value: "", check: positive },
  "dosimeter.within": { value: "", check: within },
  "dosimeter.groups_per_unit": { value: "", check: wholeOrAuto },
  "dosimeter.rows_per_group": { value: "", check: whole },
  "dosimeter.bounds": { value: "", check: oneOf("auto", "all", "declared") },
  "dosimeter.bounds_share": { value: "", check: positive },
  "dosimeter.bias": { value: "off", check: shareOrOff },
  "dosimeter.weights": { value: "", check: weightList },
  "dosimeter.non_negative": { value: "off", check: onOff },
  "dosimeter.quantile_intervals": { value: "on", check: onOff },
  "dosimeter.reuse": { value: "auto", check: oneOf("auto", "always", "never") },
  "dosimeter.study": { value: "" },
  "dosimeter.intervals": { value: "off", check: onOff },
  application_name: { value: "", reported: true },
  client_encoding: { value: "UTF8", reported: true, check: utf8 },
  datestyle: { value: "ISO, MDY", reported: true, check: () => "ISO, MDY" },
  timezone: { value: "UTC", reported: true, check: () => "UTC" },
  intervalstyle: { value: "postgres", reported: true },
  standard_conforming_strings: { value: "on", reported: true, check: () => "on" },
  integer_datetimes: { value: "on", reported: true, fixed: true },
  server_encoding: { value: "UTF8", reported: true, fixed: true },
  server_version: { value: "15.0", reported: true, fixed: true },
  server_version_num: { value: "150000", fixed: true },
  default_transaction_read_only: { value: "on", reported: true, check: () => "on" },
  in_hot_standby: { value: "off", reported: true, fixed: true },
  is_superuser: { value: "off", reported: true, fixed: true },
  transaction_isolation: { value: "serializable" },
  search_path: { value: "public" },
  extra_float_digits: { value: "1" },
  bytea_output: { value: "hex" },
  lc_collate: { value: "C", fixed: true },
  max_identifier_length: { value: "63", fixed: true },
  statement_timeout: { value: "0" },
}

/** As clients spell those that they are told of. */
const spelled: Readonly<Record<string, string>> = {
  datestyle: "DateStyle",
  timezone: "TimeZone",
  intervalstyle: "IntervalStyle",
}
/** Settings that nobody knows are remembered up to this many. */
const unknownMax = 100

/** The settings of one session. */
export class SessionSettings {
  readonly #values = new Map<string, string>()

  /** What a client is told of at the beginning: name and value. */
  get reported(): readonly (readonly [name: string, value: string])[] {
    return Object.entries(known).flatMap(([name, { reported }]) =>
      reported === true ? [[spelled[name] ?? name, this.show(name)] as const] : [],
    )
  }

  /** Every known setting and those that were set. */
  get all(): readonly (readonly [name: string, value: string])[] {
    const names = [...new Set([...Object.keys(known), ...this.#values.keys()])].sort()
    return names.map((name) => [name, this.show(name)])
  }

  show(name: string): string {
    const key = name.toLowerCase()
    const value = this.#values.get(key) ?? known[key]?.value
    if (value === undefined) throw new WireError("42704", `there is no setting ${key}`, "SHOW ALL lists them")
    return value
  }

  /** Sets; gives what the client is to be told. */
  set(name: string, value: string): readonly [name: string, value: string] | undefined {
    const key = name.toLowerCase()
    const setting = known[key]
    if (setting?.fixed === true) throw new WireError("55P02", `${key} cannot be changed`)
    if (setting === undefined) this.#checkUnknown(key)
    this.#values.set(key, setting?.check?.(value, key) ?? value)
    return setting?.reported === true ? [spelled[key] ?? key, this.show(key)] : undefined
  }

  /** Back to the first value; all of them without a name. */
  reset(name?: string): void {
    if (name === undefined) this.#values.clear()
    else this.#values.delete(name.toLowerCase())
  }

  get intervals(): boolean {
    return this.show("dosimeter.intervals") === "on"
  }

  /** What the next question is asked with. */
  get asked(): AskedBySettings {
    const value = (name: string): string | undefined => {
      const text = this.show(`dosimeter.${name}`)
      return text === "" ? undefined : text
    }
    const wanted = value("within")
    const [epsilon, groups, rows] = [value("epsilon"), value("groups_per_unit"), value("rows_per_group")]
    const rho = value("rho")
    if (rho !== undefined && (epsilon ?? wanted) !== undefined) {
      const other = epsilon === undefined ? "dosimeter.within" : "dosimeter.epsilon"
      throw new WireError(
        "22023",
        `dosimeter.rho is set beside ${other}`,
        `RESET ${other}, or RESET dosimeter.rho`,
      )
    }
    const weights = value("weights")
    const reuse = this.show("dosimeter.reuse")
    return {
      ask: {
        ...(epsilon === undefined ? {} : { epsilon: exactly(epsilon, "dosimeter.epsilon") }),
        ...groupsAsked(groups),
        ...(rows === undefined ? {} : { rowsPerGroup: BigInt(rows) }),
        ...boundsAsked(value("bounds"), value("bounds_share")),
        ...biasAsked(value("bias") ?? "off"),
        ...(weights === undefined ? {} : { weights: weightsOf(weights, "dosimeter.weights") }),
        ...(this.show("dosimeter.non_negative") === "on" ? { nonNegative: true } : {}),
        ...(this.show("dosimeter.quantile_intervals") === "off" ? { quantileIntervals: false } : {}),
      },
      rho: rho === undefined ? undefined : exactly(rho, "dosimeter.rho"),
      ...(reuse === "always" || reuse === "never" ? { reuse } : {}),
      within: wanted === undefined ? undefined : readTarget(wanted, "dosimeter.within"),
      study: value("study"),
    }
  }

  #checkUnknown(key: string): void {
    if (key.startsWith("dosimeter.")) {
      const names = Object.keys(known).filter((one) => one.startsWith("dosimeter."))
      throw new WireError("42704", `there is no setting ${key}`, `there are ${names.join(", ")}`)
    }
    if (this.#values.size >= unknownMax) throw new WireError("54000", "too many settings were set")
  }
}

function groupsAsked(text: string | undefined): Ask {
  if (text === undefined) return {}
  return text === "auto" ? { autoGroups: true } : { groupsPerUnit: BigInt(text) }
}

function boundsAsked(which: string | undefined, share: string | undefined): Ask {
  const bounds = which === "auto" ? "undeclared" : which === "all" || which === "declared" ? which : undefined
  return {
    ...(bounds === undefined ? {} : { bounds }),
    ...(share === undefined ? {} : { boundsShare: exactly(share, "dosimeter.bounds_share") }),
  }
}

/** persons=2, visits=0.5: a column and a number each. */
function weightsOf(text: string, name: string): Readonly<Record<string, Rational>> {
  const parts = text.split(",").filter((part) => part.trim() !== "")
  return Object.fromEntries(
    parts.map((part) => {
      const [, column = "", weight = ""] = /^\s*(.+?)\s*=\s*(\d{1,20}(?:\.\d{1,20})?)\s*$/.exec(part) ?? []
      if (column === "") bad(name, text, "columns and numbers such as persons=2, visits=0.5")
      return [column, exactly(weight, name)] as const
    }),
  )
}

/** A fifth of the loss, unless a share is named. */
function biasAsked(text: string): Ask {
  if (text === "off") return {}
  return { bias: text === "on" ? rational(1n, 5n) : exactly(text, "dosimeter.bias") }
}

function bad(name: string, value: string, wanted: string): never {
  throw new WireError("22023", `${name} cannot be "${value.slice(0, 40)}"`, `write ${wanted}`)
}
