// The domain of an expression, worked out again from its parts: what verify/ compares with what bind claimed.

import { assert, unreachable } from "@dosimeter/core/errors"
import type { Domain } from "../catalog/domain.ts"
import { castResult } from "../functions/cast.ts"
import type { Argument, NoResult } from "../functions/definition.ts"
import { resultOf } from "../functions/results.ts"
import { isNoResult } from "../functions/no-result.ts"
import { inType, unionDomain } from "../functions/union-domain.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { CaseExpr, ColumnId, Expr } from "./expr.ts"
import { shareDomain, stepsDomain } from "./item-domain.ts"

/**
 * What values an expression may take, given those of the columns. Claims inside the expression are not
 * read.
 */
export function domainOf(expr: Expr, domains: ReadonlyMap<ColumnId, Domain>): Domain {
  switch (expr.kind) {
    case "column": {
      const domain = domains.get(expr.id)
      assert(domain !== undefined, `column ${expr.id} is in reach`)
      return domain
    }
    case "literal":
      return literalDomain(expr.value, expr.domain.type)
    case "call": {
      const args = expr.args.map((arg) => argumentOf(arg, domains))
      return proven(expr.name === "cast" ? castOf(args, expr.domain) : resultOf(expr.name, args))
    }
    case "case":
      return caseDomain(expr, domains)
    case "steps": {
      const { type, nullable } = domainOf(expr.operand, domains)
      assert(["integer", "decimal", "float"].includes(type.kind), "steps are of a number")
      return stepsDomain(expr.lower, expr.upper, nullable)
    }
    case "share": {
      const [sum, count] = [domainOf(expr.sum, domains), domainOf(expr.count, domains)]
      assert(sum.type.kind === "integer" && count.type.kind === "integer", "a share is of whole numbers")
      return { ...shareDomain(sum), nullable: sum.nullable || count.nullable }
    }
    case "weight": {
      const { type } = domainOf(expr.total, domains)
      assert(type.kind === "integer", "a weight is of a whole number")
      return stepsDomain(0n, expr.full, false)
    }
    case "keyed-hash":
      return { type: { kind: "text" }, nullable: false }
    default:
      return unreachable(expr)
  }
}

/** An expression as the argument of a function. */
export function argumentOf(expr: Expr, domains: ReadonlyMap<ColumnId, Domain>): Argument {
  const domain = domainOf(expr, domains)
  return expr.kind === "literal" ? { domain, literal: expr.value } : { domain }
}

/** One of the results, in the type of the whole. */
function caseDomain(
  { branches, otherwise, domain: { type } }: CaseExpr,
  domains: ReadonlyMap<ColumnId, Domain>,
): Domain {
  for (const { when } of branches) {
    const { kind } = domainOf(when, domains).type
    assert(kind === "boolean" || kind === "null", "what stands after WHEN is a condition")
  }
  const results = [...branches.map(({ result }) => result), otherwise]
  return proven(
    unionDomain(
      results.map((result) => proven(inType(domainOf(result, domains), type, "CASE"))),
      "CASE",
    ),
  )
}

function castOf(args: readonly Argument[], { type }: Domain): Domain | NoResult {
  const [only, ...others] = args
  assert(only !== undefined && others.length === 0, "a cast has one argument")
  return castResult(only, type)
}

function proven(result: Domain | NoResult): Domain {
  assert(!isNoResult(result), "every call has a result for its arguments")
  return result
}
