// The second way as a whole: each step asks one thing of the real database and keeps what is false. Both the
// quick sample and the long campaign are made of these steps.

import type { Expr } from "../../algebra/expr.ts"
import type { WindowItem } from "../../algebra/rel.ts"
import { Dice } from "../dice.ts"
import type { StoredType } from "../hostile-values.ts"
import type { SecondWay } from "./ask.ts"
import { forms, type ComputedName } from "./forms.ts"
import { groupsOf, windowsOf } from "./groups.ts"
import { castTypes, ExpressionForm } from "./make-expression.ts"
import { randomRead, type storedFor } from "./reads.ts"
import { randomSlot, type SlotKind } from "./slots.ts"
import type { Suite } from "./suites.ts"

/** All functions that a database computes, but casts. */
export const computedNames: readonly ComputedName[] = Object.keys(forms).filter(isComputed)

/** The kinds of columns that are cast. */
export const castKinds = ["boolean", "integer", "decimal", "float", "text", "date", "timestamp"] as const

function isComputed(name: string): name is ComputedName {
  return Object.hasOwn(forms, name)
}

/** What was asked, and what was found. */
export class Findings {
  readonly broken: string[] = []
  /** How often each thing was accepted by the compiler, and so asked. */
  readonly asked = new Map<string, number>()
  readonly #database: SecondWay

  constructor(database: SecondWay) {
    this.#database = database
  }

  /** What is false, the first few. */
  get shown(): string {
    return this.broken.slice(0, 5).join("\n\n")
  }

  /** One function with random arguments, nested at most so deep. */
  async call(name: ComputedName, seed: string, depth = 0): Promise<void> {
    await this.#expression(name, seed, (make) => make.call(name, depth))
  }

  /** Casts from a kind to all types. */
  async casts(kind: SlotKind, seed: string, depth = 0): Promise<void> {
    for (const [at, to] of castTypes.entries()) {
      await this.#expression(`cast ${kind} to ${to.kind}`, `${seed}, ${at}`, (make) =>
        make.cast(kind, to, depth),
      )
    }
  }

  /** CASE. */
  async choice(seed: string, depth = 0): Promise<void> {
    await this.#expression("case", seed, (make) => make.choice(depth))
  }

  /** Everything that is asked of one column. */
  async suite({ name, slot, exprs }: Suite): Promise<void> {
    this.#count("suite")
    this.#keep(name, await this.#database.askAll(exprs(), [slot]))
  }

  /** Aggregates and windows over rows of a random column. */
  async groups(kind: SlotKind, seed: string, windows: number): Promise<void> {
    const dice = new Dice(seed)
    const slot = randomSlot(kind, dice)
    const rels = [...groupsOf(slot), windowsOf(slot, (items) => someOfEach(dice.shuffled(items), windows))]
    for (const rel of rels) {
      const items = rel.kind === "aggregate" || rel.kind === "window" ? rel.items : []
      for (const item of items) this.#count(`${rel.kind} ${item.function}`)
      this.#keep(`groups of ${kind}, ${seed}`, await this.#database.askRelation(rel))
    }
  }

  /** Reading a stored column of hostile values. */
  async read(kind: keyof typeof storedFor, stored: StoredType, seed: string): Promise<void> {
    const found = await this.#database.askStored(stored, randomRead(kind, new Dice(seed)))
    if (found === undefined) return
    this.#count(`read ${stored} as ${kind}`)
    this.#keep(`${stored} as ${kind}, ${seed}`, found)
  }

  async #expression(
    name: string,
    seed: string,
    build: (make: ExpressionForm) => Expr | undefined,
  ): Promise<void> {
    const make = new ExpressionForm(new Dice(`${name}, ${seed}`))
    const expr = build(make)
    if (expr === undefined) return
    this.#count(name)
    this.#keep(`${name}, ${seed}`, await this.#database.askAll([expr], make.slots))
  }

  #count(what: string): void {
    this.asked.set(what, (this.asked.get(what) ?? 0) + 1)
  }

  #keep(what: string, found: readonly string[]): void {
    this.broken.push(...found.map((one) => `${what}: ${one}`))
  }
}

/** The first item of each function, and more up to a number. */
function someOfEach(items: readonly WindowItem[], count: number): readonly WindowItem[] {
  const first = new Map(items.toReversed().map((item) => [item.function, item]))
  const chosen = new Set(first.values())
  const others = items.filter((item) => !chosen.has(item))
  return [...chosen, ...others.slice(0, Math.max(0, count - chosen.size))]
}
