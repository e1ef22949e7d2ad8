// A private question as the engine asks it: compiled, printed for the database of a dataset, and run there.

import type { Dataset } from "../../packages/engine/src/prepare/open-dataset.ts"
import type { Grammar } from "../../packages/language/src/parse/grammar.ts"
import { compile } from "../../packages/planner/src/compile.ts"
import { printPlan } from "../../packages/proof/src/print/print-plan.ts"
import type { QuestionClass } from "./questions.ts"

/** Where a question is asked, and over which copies. */
export interface Asked {
  readonly dataset: Dataset
  readonly grammar: Grammar
  /** None: over the tables themselves. */
  readonly copies: Dataset["prepared"]
}

/** Compiles a question, and gives what runs its extracts. Throws where it has another form than asked for. */
export function privateQuery(one: QuestionClass, { dataset, grammar, copies }: Asked): () => Promise<void> {
  const { backend, policy, version } = dataset
  const { catalog, terms } = policy
  const ask = {
    ...(one.groups === undefined ? {} : { groupsPerUnit: one.groups }),
    ...(one.rows === undefined ? {} : { rowsPerGroup: one.rows }),
  }
  const { plan } = compile(one.sql, { grammar, catalog, terms, ask, prepared: copies })
  const texts = printPlan(plan, backend.dialect)
  const extracts = plan.releases.flatMap((release) => release.extracts)
  const isPrepared = plan.releases.every((release) => release.prepared.length > 0)
  if (isPrepared !== copies.length > 0) throw new Error(`${one.name} has another form than expected`)
  return async () => {
    for (const [index, sql] of texts.entries()) {
      const { rel, keys } = extracts[index] ?? { rel: undefined, keys: [] }
      const groupCount = rel?.kind === "aggregate" ? rel.keys.length : keys.length
      const query = { sql, columns: rel?.columns ?? [], keyCount: keys.length, groupCount }
      await backend.run(query, { secret: version.secret })
    }
  }
}
