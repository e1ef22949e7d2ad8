// Random expressions over columns of narrow domains: one function, or several in one another. The claim of
// each is what the compiler says; nothing else of it is asked.

import type { Constant } from "../../catalog/constant.ts"
import type { Domain } from "../../catalog/domain.ts"
import { castResult } from "../../functions/cast.ts"
import type { FunctionName } from "../../functions/function-name.ts"
import { resultOf } from "../../functions/results.ts"
import { isNoResult } from "../../functions/no-result.ts"
import { commonType } from "../../functions/union-domain.ts"
import { literalDomain } from "../../catalog/literal-domain.ts"
import type { SqlType } from "../../catalog/sql-type.ts"
import { domainOf } from "../../algebra/domain-of.ts"
import type { CaseExpr, ColumnId, Expr } from "../../algebra/expr.ts"
import type { Dice } from "../dice.ts"
import { forms, type ArgumentForm, type ComputedName, type Form } from "./forms.ts"
import { randomSlot, type Slot, type SlotKind } from "./slots.ts"

const anyKinds: readonly SlotKind[] = ["boolean", "integer", "decimal", "float", "text", "date", "timestamp"]
const numbers: readonly SlotKind[] = ["integer", "decimal", "float"]

/** The types that a cast may name. */
export const castTypes: readonly SqlType[] = [
  { kind: "boolean" },
  { kind: "integer" },
  ...Array.from({ length: 13 }, (_, scale): SqlType => ({ kind: "decimal", scale })),
  { kind: "float" },
  { kind: "text" },
  { kind: "date" },
  { kind: "timestamp" },
]

/** A constant as an expression of the type that it is written in. */
export function literalOf(value: Constant, type: SqlType): Expr {
  return { kind: "literal", value, domain: literalDomain(value, type) }
}

/** A call with its claim; undefined where the compiler refuses it. */
export function callOf(name: FunctionName, args: readonly Expr[], to?: SqlType): Expr | undefined {
  const given = args.map((arg) => ({
    domain: arg.domain,
    ...(arg.kind === "literal" ? { literal: arg.value } : {}),
  }))
  const [first] = given
  const isCast = name === "cast" && to !== undefined && first !== undefined
  const domain = isCast ? castResult(first, to) : resultOf(name, given)
  return isNoResult(domain) ? undefined : { kind: "call", name, args, domain }
}

/** A CASE with its claim. */
export function caseOf(branches: CaseExpr["branches"], otherwise: Expr): Expr | undefined {
  const results = [...branches.map(({ result }) => result), otherwise]
  const type = commonType(results.map(({ domain }) => domain.type))
  if (type === undefined) return undefined
  const claimless: CaseExpr = { kind: "case", branches, otherwise, domain: { type, nullable: true } }
  const columns = new Map<ColumnId, Domain>()
  for (const expr of [...results, ...branches.map(({ when }) => when)]) addColumns(expr, columns)
  try {
    return { ...claimless, domain: domainOf(claimless, columns) }
  } catch {
    return undefined
  }
}

function addColumns(expr: Expr, columns: Map<ColumnId, Domain>): void {
  if (expr.kind === "column") columns.set(expr.id, expr.domain)
  if (expr.kind === "call") for (const arg of expr.args) addColumns(arg, columns)
  if (expr.kind === "case") {
    for (const { when, result } of expr.branches) for (const part of [when, result]) addColumns(part, columns)
    addColumns(expr.otherwise, columns)
  }
}

/** Makes one expression. */
export class ExpressionForm {
  readonly #dice: Dice
  readonly #slots: Slot[] = []

  constructor(dice: Dice) {
    this.#dice = dice
  }

  get slots(): readonly Slot[] {
    return this.#slots
  }

  /** The column that holds the values of a slot. */
  column(slot: Slot): Expr {
    this.#slots.push(slot)
    return { kind: "column", id: this.#slots.length, domain: slot.domain }
  }

  /** A call of a function in one of its forms, with arguments that are nested at most so deep. */
  call(name: ComputedName, depth: number): Expr | undefined {
    return callOf(name, this.args(this.#dice.pick(forms[name]), depth))
  }

  /** A cast of something of a kind. */
  cast(kind: SlotKind, to: SqlType, depth: number): Expr | undefined {
    return callOf("cast", [this.argument(kind, undefined, depth)], to)
  }

  /** CASE with one or two conditions. */
  choice(depth: number): Expr | undefined {
    const first = this.argument("any", undefined, depth)
    const branches = Array.from({ length: 1 + this.#dice.below(2) }, () => ({
      when: this.argument("boolean", undefined, depth - 1),
      result: this.argument("like-first", first, depth),
    }))
    return caseOf(branches, first)
  }

  /** The arguments of a form. */
  args(form: Form, depth: number): readonly Expr[] {
    const args: Expr[] = []
    for (const one of form) args.push(this.argument(one, args[0], depth))
    return args
  }

  /** One argument. */
  argument(form: ArgumentForm, first: Expr | undefined, depth: number): Expr {
    const dice = this.#dice
    if (typeof form === "function") {
      const value = form(dice)
      return literalOf(value, value.kind === "number" ? { kind: "integer" } : { kind: value.kind })
    }
    if (form === "bound" && first !== undefined)
      return this.#constant(randomSlot(nearKind(first, dice), dice))
    const kind = this.#kindOf(form, first)
    if (dice.chance(0.02)) return literalOf({ kind: "null" }, { kind: "null" })
    if (depth > 0 && dice.chance(0.5)) {
      const made = this.#nested(kind, depth - 1)
      if (made !== undefined) return made
    }
    const slot = randomSlot(kind, dice)
    return dice.chance(0.15) || this.#slots.length >= slotsMax ? this.#constant(slot) : this.column(slot)
  }

  #kindOf(form: Exclude<ArgumentForm, Function>, first: Expr | undefined): SlotKind {
    const dice = this.#dice
    switch (form) {
      case "number":
        return dice.pick([...numbers, "modest"])
      case "exact":
        return dice.pick(["integer", "decimal"])
      case "moment":
        return dice.pick(["date", "timestamp"])
      case "any":
        return dice.pick(anyKinds)
      case "like-first":
      case "bound":
        return first === undefined ? dice.pick(anyKinds) : nearKind(first, dice)
      default:
        return form
    }
  }

  #constant({ domain, values }: Slot): Expr {
    return literalOf(this.#dice.pick(values), domain.type)
  }

  #nested(kind: SlotKind, depth: number): Expr | undefined {
    const dice = this.#dice
    if (dice.chance(0.2)) return this.cast(dice.pick(anyKinds), typeOfKind(kind, dice), depth)
    const made = this.call(dice.pick(givers[kind]), depth)
    return made !== undefined && isOfKind(made.domain.type, kind) ? made : undefined
  }
}

/** With more columns there are too many combinations of values. */
const slotsMax = 3

/** A kind that can be compared with an expression. */
function nearKind({ domain: { type } }: Expr, dice: Dice): SlotKind {
  switch (type.kind) {
    case "integer":
    case "decimal":
    case "float":
      return dice.chance(0.5) ? type.kind : dice.pick(numbers)
    case "date":
    case "timestamp":
      return dice.pick(["date", "timestamp"])
    case "boolean":
    case "text":
      return type.kind
    case "interval":
    case "null":
      return "integer"
    default:
      return type satisfies never
  }
}

function typeOfKind(kind: SlotKind, dice: Dice): SqlType {
  if (kind === "decimal") return { kind, scale: dice.below(13) }
  return { kind: kind === "modest" || kind === "widest" ? "integer" : kind }
}

function isOfKind(type: SqlType, kind: SlotKind): boolean {
  return kind === "modest" || kind === "widest"
    ? type.kind === "integer" || type.kind === "decimal"
    : type.kind === kind
}

const arithmetic: readonly ComputedName[] = [
  "add",
  "subtract",
  "multiply",
  "negate",
  "abs",
  "coalesce",
  "greatest",
]
const choices: readonly ComputedName[] = ["coalesce", "nullif", "greatest", "least"]
/** Functions that may give a value of a kind. */
const givers: Readonly<Record<SlotKind, readonly ComputedName[]>> = {
  boolean: ["and", "or", "not", "is-null", "less", "equal", "in-list", "like", "starts-with"],
  integer: [
    ...arithmetic,
    "divide",
    "modulo",
    "sign",
    "round",
    "floor",
    "trunc",
    "length",
    "position",
    "days-between",
    "extract",
    "clamp",
  ],
  decimal: [...arithmetic, "modulo", "round", "trunc", "seconds-between", "clamp"],
  float: [...arithmetic, "divide", "sqrt", "ln", "log10", "exp", "power", "clamp"],
  widest: ["add", "subtract", "negate"],
  modest: ["sign", "extract", "clamp", "modulo", "age-years"],
  text: [...choices, "lower", "upper", "trim", "substring", "left", "right", "concat", "replace"],
  date: [...choices, "add-days", "add-interval", "date-trunc", "clamp"],
  timestamp: [...choices, "add-interval", "date-trunc", "clamp"],
}
