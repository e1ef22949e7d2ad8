// The counts of a ladder, read from the noisy tables that the record keeps: they are paid for, so that what
// follows from them costs nothing, and a house rule about small counts hides them in answers only.

import type { Planned } from "@dosimeter/planner/compile"
import { isReadable } from "@dosimeter/planner/learn/choose-norm"
import { readLadder, type ReadLadder } from "@dosimeter/planner/learn/read-ladder"
import { measuredRows } from "../record/measured-rows.ts"
import type { Recorded } from "../record/recorded.ts"
import type { KeptSource } from "../record/reuse.ts"
import { planHash } from "../release/plan-hash.ts"
import type { Walk } from "./run-query.ts"

/**
 * The counts of a ladder that was asked: of the tables that its answer is from and no others, so that a
 * question that is sent again has the same norm. Undefined where too few units are seen in them.
 */
export async function ladderOfStage(
  ladder: Planned,
  { charge, from = [] }: Pick<Recorded, "charge" | "from">,
  walk: Walk,
): Promise<ReadLadder | undefined> {
  const charges = charge === undefined ? from : [charge]
  return readFrom(ladder, { ...walk, mayUse: async (one) => charges.includes(one) })
}

/** The same, as asking for it now would tell from the record; undefined where it must be paid for. */
export async function ladderOnRecord(ladder: Planned, walk: Walk): Promise<ReadLadder | undefined> {
  const key = { planHash: planHash(ladder.plan), dataVersion: walk.version.name }
  const same = await walk.ledger.find(key)
  if (same !== undefined && (await walk.mayUse(same.charge))) return ladderOfStage(ladder, same, walk)
  return readFrom(ladder, walk)
}

async function readFrom(ladder: Planned, source: KeptSource): Promise<ReadLadder | undefined> {
  const measured = await measuredRows(ladder, source)
  const read = measured && readLadder(measured.rows)
  return read !== undefined && isReadable(read) ? read : undefined
}
