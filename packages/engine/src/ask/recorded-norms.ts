// Norms of ladders that are on record already: nothing is learnt or paid for on the way.

import { compile, type Compiled, type CompileOptions } from "@dosimeter/planner/compile"
import { learnableNorms, leftOutWords } from "@dosimeter/planner/learn/learn-norm"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { LearntNorm } from "@dosimeter/planner/strategies/scaled-vector"
import { ladderOnRecord } from "./ladder-record.ts"
import { aimOf, earlierLadder, isWanted } from "./learn-norms.ts"
import type { Walk } from "./run-query.ts"

/** The norms of a question by the place of their boundary in it; of groups and rows where there is none. */
export type KnownNorms = ReadonlyMap<number, LearntNorm>

/** The question with known norms. */
export function compileWithNorms(sql: string, options: CompileOptions, norms: KnownNorms): Compiled {
  return compile(sql, norms.size === 0 ? options : { ...options, norms })
}

/**
 * The norms that ladders on record tell. They are chosen for an epsilon, by default the largest of a question
 * whatever its own: so they are the same for all stages of an answer.
 */
export async function recordedNorms(
  sql: string,
  options: CompileOptions,
  walk: Walk,
  epsilon = options.terms.question.epsilonMax,
): Promise<KnownNorms> {
  const found = new Map<number, LearntNorm>()
  if (!isWanted(options)) return found
  const most = { ...options, ask: { ...options.ask, epsilon } }
  const learnable = learnableNorms(sql, most)
  if (learnable.length === 0) return found
  const { plan } = compile(sql, { ...most, learnsNorm: true })
  for (const norm of learnable) {
    const ladder = await ladderOnRecord(norm.ladder({ epsilon }), walk)
    const read = ladder && norm.read(ladder, { plan, aim: aimOf(options), paid: earlierLadder })
    if (read !== undefined) found.set(norm.boundary, read)
  }
  return found
}

/**
 * What is known, before anything is paid, of how much does not count with the norm of groups and rows: by
 * ladders on record, which are paid for.
 */
export async function leftOutNotes(
  sql: string,
  options: CompileOptions,
  { plan, walk }: { readonly plan: ReleasePlan; readonly walk: Walk },
): Promise<readonly string[]> {
  const isFixed = plan.releases.some(({ bounds: { scaled } }) => scaled !== undefined && !scaled.beyond)
  if (!isFixed) return []
  const { epsilonMax: epsilon } = options.terms.question
  const notes: string[] = []
  for (const norm of learnableNorms(sql, options)) {
    const ladder = await ladderOnRecord(norm.ladder({ epsilon }), walk)
    notes.push(
      ladder === undefined ? unknownLeftOut : `at these bounds ${leftOutWords(norm.beyondUsual(ladder))}`,
    )
  }
  return [...new Set(notes)]
}

const unknownLeftOut =
  "how much does not count at these bounds is not known: with norm auto a ladder is asked first, which tells it"
