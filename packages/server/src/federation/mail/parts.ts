// Long letters come in parts, so that each request is small: a slow line is not cut off, and a stranger
// cannot make the coordinator hold much.

import { envelopeLengthMax } from "@dosimeter/engine"
import { z } from "zod"
import { fail } from "../../errors.ts"
import { numberOf, oneRow, textOf, type StateAccess } from "../../state/state-store.ts"
import { letterHash } from "./letters.ts"

/** In characters. */
export const partMax = 256 * 1024
const partsMax = Math.ceil(envelopeLengthMax / partMax)
/** What one site may have lying in parts of letters that are not whole. */
const lyingMax = 2 * partsMax

/** One part of a letter. */
export const partSchema = z
  .strictObject({
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    part: z.int().min(0).max(partsMax),
    parts: z.int().min(1).max(partsMax),
    body: z.string().max(partMax),
  })
  .refine(({ part, parts }) => part < parts)

/** One part of a letter. */
export type LetterPart = z.infer<typeof partSchema>

/** The parts of a letter. */
export function partsOf(body: string): readonly LetterPart[] {
  const hash = letterHash(body)
  const parts = Math.max(1, Math.ceil(body.length / partMax))
  return Array.from({ length: parts }, (_, part) => ({
    hash,
    part,
    parts,
    body: body.slice(part * partMax, (part + 1) * partMax),
  }))
}

/** Keeps a part; the whole text once all are there, and then no part is kept any more. */
export async function keepPart(
  access: StateAccess,
  site: string,
  { hash, part, parts, body }: LetterPart,
  at: string,
): Promise<string | undefined> {
  const whole = parts === 1 ? body : await joined(access, { site, hash, part, parts, body, at })
  if (whole === undefined) return undefined
  await access.run("DELETE FROM federation_parts WHERE site = ? AND hash = ?", [site, hash])
  if (letterHash(whole) !== hash) return fail("federation/bad-request", { what: "a letter came damaged" })
  return whole
}

type LyingPart = LetterPart & { readonly site: string; readonly at: string }

async function joined(access: StateAccess, given: LyingPart): Promise<string | undefined> {
  const { site, hash, part, parts, body, at } = given
  const lying = await oneRow(access, "SELECT count(*) AS n FROM federation_parts WHERE site = ?", [site])
  if (lying !== undefined && numberOf(lying, "n") >= lyingMax) {
    // Whoever begins so much and ends nothing begins again.
    await access.run("DELETE FROM federation_parts WHERE site = ? AND hash <> ?", [site, hash])
  }
  await access.run("DELETE FROM federation_parts WHERE site = ? AND hash = ? AND part = ?", [
    site,
    hash,
    part,
  ])
  await access.run("INSERT INTO federation_parts (site, hash, part, body, at) VALUES (?, ?, ?, ?, ?)", [
    site,
    hash,
    part,
    body,
    at,
  ])
  const rows = await access.all(
    "SELECT body FROM federation_parts WHERE site = ? AND hash = ? AND part < ? ORDER BY part",
    [site, hash, parts],
  )
  return rows.length === parts ? rows.map((row) => textOf(row, "body")).join("") : undefined
}
