// Letters: signed envelopes as texts, kept from the moment they arrive or are written until they were worked
// on or handed over, so that either side may be killed at any moment. The same letter is kept once.

import { createHash } from "node:crypto"
import {
  numberOf,
  oneRow,
  textOf,
  type StateAccess,
  type StateRow,
  type StateStore,
} from "../../state/state-store.ts"

/** Where a letter lies: it came, or it goes. */
export type Box = "in" | "out"

/** A letter to be kept. `peer` is who sent it, or to whom it goes. */
export interface Letter {
  readonly peer: string
  readonly job: string
  readonly step: string
  readonly body: string
}

/** A letter that is kept. Positions grow in the order in which letters came. */
export interface KeptLetter extends Letter {
  readonly position: number
  readonly hash: string
}

/** The hash by which a letter is known. */
export function letterHash(body: string): string {
  return createHash("sha256").update(body, "utf8").digest("hex")
}

/** Keeps letters; those that are there already are left as they are. Part of the caller's transaction. */
export async function keepLetters(
  access: StateAccess,
  box: Box,
  letters: readonly Letter[],
  at: string,
): Promise<number> {
  const last = await oneRow(access, "SELECT max(position) AS position FROM federation_letters", [])
  let position = Number(last?.["position"] ?? 0)
  let kept = 0
  for (const { peer, job, step, body } of letters) {
    const hash = letterHash(body)
    const known = await access.all(
      "SELECT position FROM federation_letters WHERE box = ? AND peer = ? AND hash = ?",
      [box, peer, hash],
    )
    if (known.length > 0) continue
    position += 1
    kept += 1
    await access.run(
      `INSERT INTO federation_letters (position, box, peer, job, step, hash, body, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [position, box, peer, job, step, hash, body, at],
    )
  }
  return kept
}

/** Whether a letter has been kept. */
export async function hasLetter(access: StateAccess, box: Box, peer: string, hash: string): Promise<boolean> {
  const rows = await access.all(
    "SELECT position FROM federation_letters WHERE box = ? AND peer = ? AND hash = ?",
    [box, peer, hash],
  )
  return rows.length > 0
}

/** Letters of a box after a position: at most so many characters, unless the first is larger. */
export async function lettersAfter(
  access: StateAccess,
  { box, peer, after }: { readonly box: Box; readonly peer: string; readonly after: number },
  most = 1024 * 1024,
): Promise<readonly KeptLetter[]> {
  const sizes = await access.all(
    `SELECT position, length(body) AS size FROM federation_letters
     WHERE box = ? AND peer = ? AND position > ? ORDER BY position LIMIT 100`,
    [box, peer, after],
  )
  let [total, last] = [0, after]
  for (const row of sizes) {
    total += numberOf(row, "size")
    if (total > most && last > after) break
    last = numberOf(row, "position")
  }
  if (last === after) return []
  const rows = await access.all(
    `SELECT * FROM federation_letters
     WHERE box = ? AND peer = ? AND position > ? AND position <= ? ORDER BY position`,
    [box, peer, after, last],
  )
  return rows.map(letterOf)
}

/** The oldest letter of a box that nobody has dealt with. */
export async function nextLetter(access: StateAccess, box: Box): Promise<KeptLetter | undefined> {
  const row = await oneRow(
    access,
    "SELECT * FROM federation_letters WHERE box = ? AND done_at IS NULL ORDER BY position LIMIT 1",
    [box],
  )
  return row === undefined ? undefined : letterOf(row)
}

/** What a job's coordinator has worked on, in the order in which it did. */
export async function turnsOfJob(access: StateAccess, job: string): Promise<readonly KeptLetter[]> {
  const rows = await access.all(
    "SELECT * FROM federation_letters WHERE box = 'in' AND job = ? AND turn IS NOT NULL ORDER BY turn",
    [job],
  )
  return rows.map(letterOf)
}

/** Gives a letter the next turn, after all that have one. Part of the caller's transaction. */
export async function takeTurn(access: StateAccess, position: number): Promise<void> {
  const row = await oneRow(access, "SELECT max(turn) AS turn FROM federation_letters", [])
  const turn = Number(row?.["turn"] ?? 0) + 1
  await access.run("UPDATE federation_letters SET turn = ? WHERE position = ?", [turn, position])
}

/** The turn of the letter of a job that was worked on last; 0 before the first. */
export async function lastTurnOf(access: StateAccess, job: string): Promise<number> {
  const row = await oneRow(access, "SELECT max(turn) AS turn FROM federation_letters WHERE job = ?", [job])
  return Number(row?.["turn"] ?? 0)
}

/** How many letters of a peer wait. */
export async function waitingLetters(store: StateStore, box: Box, peer: string): Promise<number> {
  const row = await oneRow(
    store,
    "SELECT count(*) AS n FROM federation_letters WHERE box = ? AND peer = ? AND done_at IS NULL",
    [box, peer],
  )
  return row === undefined ? 0 : numberOf(row, "n")
}

/** Says that a letter was dealt with; part of the transaction that keeps what came of it. */
export async function letterDone(access: StateAccess, position: number, at: string): Promise<void> {
  await access.run("UPDATE federation_letters SET done_at = ? WHERE position = ?", [at, position])
}

/** The same of a letter that was refused: its text is not kept, so that a liar fills no disk. */
export async function letterRefused(access: StateAccess, position: number, at: string): Promise<void> {
  await access.run("UPDATE federation_letters SET done_at = ?, body = '' WHERE position = ?", [at, position])
}

function letterOf(row: StateRow): KeptLetter {
  return {
    position: numberOf(row, "position"),
    peer: textOf(row, "peer"),
    job: textOf(row, "job"),
    step: textOf(row, "step"),
    hash: textOf(row, "hash"),
    body: textOf(row, "body"),
  }
}
