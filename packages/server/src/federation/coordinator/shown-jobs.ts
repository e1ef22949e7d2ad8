// A job as it was last shown, kept beside its letters, so that nobody who looks works out anew what all of
// its letters say: a regression has thousands. It is signed with the coordinator's key, and counts for the
// letter that it names and no other; where either is not so, the letters are read.

import {
  isSigned,
  type FederatedAnswer,
  type FederatedJob,
  type JobState,
  type Signer,
} from "@dosimeter/engine"
import { numberOf, oneRow, textOf, type StateAccess } from "../../state/state-store.ts"
import { lastTurnOf } from "../mail/letters.ts"
import { jsonOf } from "../wire/json.ts"

/** What is seen of a job. */
export interface ShownJob {
  readonly state: JobState
  readonly result: FederatedAnswer | undefined
}

const label = "dosimeter job as shown 1"

/** Keeps what a job shows after its last letter. Part of the caller's transaction. */
export async function keepShown(access: StateAccess, job: FederatedJob, signer: Signer): Promise<void> {
  const turn = await lastTurnOf(access, job.id)
  const text = JSON.stringify({ state: job.state(), result: job.result() })
  const signature = signer.sign(label, { job: job.id, turn, text })
  await access.run("DELETE FROM federation_shown WHERE job = ?", [job.id])
  await access.run("INSERT INTO federation_shown (job, turn, body, signature) VALUES (?, ?, ?, ?)", [
    job.id,
    turn,
    text,
    signature,
  ])
}

/** What was kept of a job, if it is of its last letter and nobody has changed it. */
export async function readShown(
  access: StateAccess,
  job: string,
  publicKey: string,
): Promise<ShownJob | undefined> {
  // In one statement: the coordinator may be working on the next letter.
  const row = await oneRow(
    access,
    `SELECT body, signature,
       (SELECT max(turn) FROM federation_letters AS letters WHERE letters.job = shown.job) AS turn
     FROM federation_shown AS shown WHERE job = ?`,
    [job],
  )
  if (row === undefined) return undefined
  const turn = numberOf(row, "turn")
  const text = textOf(row, "body")
  const isOurs = isSigned(label, { job, turn, text }, { publicKey, signature: textOf(row, "signature") })
  if (!isOurs) return undefined
  // Our own text, written above.
  const { state, result } = jsonOf(text) as { readonly state: JobState; readonly result?: FederatedAnswer }
  return { state, result }
}

/** Whether nothing will happen to a job any more. */
export function isOver({ phase }: JobState): boolean {
  return phase === "answered" || phase === "failed"
}
