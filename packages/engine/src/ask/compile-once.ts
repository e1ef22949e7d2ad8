// The plan of a question that was asked lately is kept: compiling depends on nothing but the text, what is
// asked for, the parameters and the decisions of people, so a question that is asked again is not proven
// again.

import { compile, type Compiled, type CompileOptions } from "@dosimeter/planner/compile"

/** Plans that are kept; the ones used last. */
const keptMax = 200

/** Compiles for one dataset: its policy and its copies stay as they are. */
export class CompileOnce {
  readonly #plans = new Map<string, Compiled>()

  /** The proven plan of a question; refused as `compile` refuses it. */
  compile(sql: string, options: CompileOptions): Compiled {
    const key = keyOf(sql, options)
    const compiled = this.#plans.get(key) ?? compile(sql, options)
    // Put at the end again: the first in a map is the one that was not used for longest.
    this.#plans.delete(key)
    this.#plans.set(key, compiled)
    const [oldest] = this.#plans.keys()
    if (this.#plans.size > keptMax && oldest !== undefined) this.#plans.delete(oldest)
    return compiled
  }
}

/** Everything that differs from question to question. All of it is plain data; integers keep their kind. */
function keyOf(sql: string, { ask, parameters, catalog, ranges }: CompileOptions): string {
  const parts = [sql, ask, parameters, catalog.consent, ranges === undefined ? [] : [...ranges]]
  return JSON.stringify(parts, (_key, value: unknown) =>
    typeof value === "bigint" ? { integer: `${value}` } : value,
  )
}
