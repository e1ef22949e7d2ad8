// The settings of a session: what drivers set unasked, and those of Dosimeter that shape the next question.

import { exactly, type Rational } from "@dosimeter/core"
import { readTarget, type WithinTarget } from "@dosimeter/engine"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import {
  durationMs,
  knownSettings as known,
  readWeights,
  spelledSettings as spelled,
  type Setting,
} from "./known-settings.ts"
import { WireError } from "../wire/wire-error.ts"
import type { ShownIntervals } from "../wire/wire-result.ts"

/** What settings say about a question. */
export interface AskedBySettings {
  readonly ask: Ask
  readonly rho: Rational | undefined
  readonly reuse?: "auto" | "always" | "never"
  readonly within: WithinTarget | undefined
  readonly study: string | undefined
}

/** Settings of applications are remembered up to this many, and values up to this length. */
const unknownMax = 100
const valueLengthMax = 4_000
const savepointsMax = 100

/** What a client is told when it sets something: the status of a parameter, or that nothing follows. */
export interface SettingTold {
  readonly status?: readonly [name: string, value: string]
  readonly notice?: string
}

/** Values at one moment: those of the session, and over them those of the block. */
interface Values {
  readonly session: ReadonlyMap<string, string>
  readonly local: ReadonlyMap<string, string>
}

/** The settings of one session. What is set in a block is undone with it; local ones end with it. */
export class SessionSettings {
  #session = new Map<string, string>()
  #local = new Map<string, string>()
  /** As it was when the block began, then at each savepoint. */
  #saved: { readonly name: string; readonly values: Values }[] = []

  /** What a client is told of at the beginning: name and value. */
  get reported(): readonly (readonly [name: string, value: string])[] {
    return Object.entries(known).flatMap(([name, { reported }]) =>
      reported === true ? [[spelled[name] ?? name, this.show(name)] as const] : [],
    )
  }

  /** Every known setting and those that were set. */
  get all(): readonly (readonly [name: string, value: string])[] {
    const names = [...new Set([...Object.keys(known), ...this.#session.keys(), ...this.#local.keys()])].sort()
    return names.map((name) => [name, this.show(name)])
  }

  show(name: string): string {
    return this.find(name) ?? missing(name.toLowerCase())
  }

  /** The value, if there is such a setting. */
  find(name: string): string | undefined {
    const key = name.toLowerCase()
    return this.#local.get(key) ?? this.#session.get(key) ?? settingNamed(key)?.value
  }

  /** Sets, for the rest of the block if it is local; gives what the client is to be told. */
  set(name: string, value: string, isLocal = false): SettingTold {
    const key = name.toLowerCase()
    const setting = settingNamed(key)
    if (setting?.fixed === true) throw new WireError("55P02", `${key} cannot be changed`)
    if (setting === undefined) this.#checkUnknown(key)
    if (value.length > valueLengthMax)
      throw new WireError("54000", `${key} cannot have more than ${valueLengthMax} characters`)
    if (isLocal && this.#saved.length === 0)
      throw new WireError(
        "25P01",
        `${key} can be set LOCAL in a block only`,
        "BEGIN first, or leave out LOCAL",
      )
    const kept = setting?.check?.(value, key) ?? value
    if (isLocal) this.#local.set(key, kept)
    else {
      this.#session.set(key, kept)
      this.#local.delete(key)
    }
    return toldOf(key, value, kept)
  }

  /** Back to the first value; all of them without a name. */
  reset(name?: string): void {
    const key = name?.toLowerCase()
    if (key === undefined) {
      this.#session.clear()
      this.#local.clear()
      return
    }
    if (this.find(key) === undefined) missing(key)
    if (settingNamed(key)?.fixed === true) throw new WireError("55P02", `${key} cannot be changed`)
    this.#session.delete(key)
    this.#local.delete(key)
  }

  /** A block begins. */
  begin(): void {
    if (this.#saved.length === 0) this.#save("")
  }

  /** A block ends: what was set in it stays, or is undone. */
  end(isUndone: boolean): void {
    const [first] = this.#saved
    if (isUndone && first !== undefined) this.#restore(first.values)
    this.#saved = []
    this.#local.clear()
  }

  savepoint(name: string): void {
    if (this.#saved.length > savepointsMax)
      throw new WireError("54000", `more than ${savepointsMax} savepoints are open`)
    this.#save(name)
  }

  /** Forgets a savepoint and those after it. */
  release(name: string): void {
    this.#saved.length = this.#placeOf(name)
  }

  /** Undoes what was set since a savepoint, which stays. */
  rollbackTo(name: string): void {
    const place = this.#placeOf(name)
    this.#saved.length = place + 1
    const values = this.#saved.at(-1)?.values
    if (values !== undefined) this.#restore(values)
  }

  #placeOf(name: string): number {
    const place = this.#saved.findLastIndex((saved, at) => at > 0 && saved.name === name)
    if (place < 0) throw new WireError("3B001", `savepoint "${name}" does not exist`)
    return place
  }

  #save(name: string): void {
    const values = { session: new Map(this.#session), local: new Map(this.#local) }
    this.#saved.push({ name, values })
  }

  #restore({ session, local }: Values): void {
    this.#session = new Map(session)
    this.#local = new Map(local)
  }

  /** How long a statement may take, if there is a limit. */
  get timeoutMs(): number | undefined {
    return durationMs(this.show("statement_timeout")) || undefined
  }

  /** Which intervals stand beside numbers, if any. */
  get intervals(): ShownIntervals {
    const value = this.show("dosimeter.intervals")
    return value === "noise" ? "noise" : value === "off" ? undefined : "whole"
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
    const keysDelta = value("keys_delta")
    const reuse = this.show("dosimeter.reuse")
    const keys = this.show("dosimeter.keys")
    return {
      ask: {
        ...(epsilon === undefined ? {} : { epsilon: exactly(epsilon, "dosimeter.epsilon") }),
        ...groupsAsked(groups),
        ...(rows === undefined ? {} : { rowsPerGroup: BigInt(rows) }),
        ...boundsAsked(value("bounds"), value("bounds_share")),
        ...normAsked(value("norm"), value("aim")),
        ...(keysDelta === undefined ? {} : { keysDelta: exactly(keysDelta, "dosimeter.keys_delta") }),
        ...(weights === undefined ? {} : { weights: readWeights(weights, "dosimeter.weights") }),
        ...signAsked(value("non_negative")),
        ...(keys === "more" || keys === "counts" ? { keys } : {}),
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
    // As PostgreSQL: an application may keep what is its own under a name with a dot.
    if (!/^[\p{L}_][\p{L}\p{N}_$]*(\.[\p{L}_][\p{L}\p{N}_$]*)+$/u.test(key)) missing(key)
    if (this.#session.size + this.#local.size >= unknownMax)
      throw new WireError("54000", "too many settings were set")
  }
}

function settingNamed(key: string): Setting | undefined {
  return Object.hasOwn(known, key) ? known[key] : undefined
}

function missing(key: string): never {
  throw new WireError("42704", `there is no setting ${key.slice(0, 80)}`, "SHOW ALL lists them")
}

function toldOf(key: string, asked: string, kept: string): SettingTold {
  const setting = settingNamed(key)
  const shown = spelled[key] ?? key
  const isOther = setting?.reported === true && kept.toLowerCase() !== asked.toLowerCase()
  return {
    ...(setting?.reported === true ? { status: [shown, kept] as const } : {}),
    ...(setting?.isIdle === true ? { notice: `${shown} has no effect here` } : {}),
    ...(isOther && key !== "client_encoding" ? { notice: `${shown} is always ${kept} here` } : {}),
  }
}

function groupsAsked(text: string | undefined): Ask {
  if (text === undefined) return {}
  return text === "auto" ? { autoGroups: true } : { groupsPerUnit: BigInt(text) }
}

function normAsked(norm: string | undefined, aim: string | undefined): Pick<Ask, "norm" | "aim"> {
  return {
    ...(norm === "auto" || norm === "fixed" ? { norm } : {}),
    ...(aim === "below-noise" || aim === "least-error" ? { aim } : {}),
  }
}

function boundsAsked(which: string | undefined, share: string | undefined): Ask {
  const bounds = which === "auto" ? "undeclared" : which === "all" || which === "declared" ? which : undefined
  return {
    ...(bounds === undefined ? {} : { bounds }),
    ...(share === undefined ? {} : { boundsShare: exactly(share, "dosimeter.bounds_share") }),
  }
}

/** As the owner says where nothing is set. */
function signAsked(text: string | undefined): Ask {
  return text === undefined ? {} : { nonNegative: text === "on" }
}
