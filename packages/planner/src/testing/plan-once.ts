// Plans for tests that change a plan in many ways: compiled once for each question and catalog. A plan is
// frozen, so that no change of one test is seen by another.

import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { compile, type CompileOptions } from "../compile.ts"

type Options = Pick<CompileOptions, "grammar" | "catalog" | "terms" | "prepared" | "learnsNorm">

const known = new WeakMap<object, Map<string, { readonly options: Options; readonly plan: ReleasePlan }>>()

/** The plan of a question; the same one where everything that it is compiled with is the same. */
export function planOnce(sql: string, options: Options): ReleasePlan {
  const own = known.get(options.catalog) ?? new Map<string, never>()
  known.set(options.catalog, own)
  const before = own.get(sql)
  const isSame =
    before?.options.terms === options.terms &&
    before.options.grammar === options.grammar &&
    before.options.prepared === options.prepared &&
    before.options.learnsNorm === options.learnsNorm
  if (before !== undefined && isSame) return before.plan
  const { plan } = compile(sql, options)
  own.set(sql, { options, plan })
  return plan
}
