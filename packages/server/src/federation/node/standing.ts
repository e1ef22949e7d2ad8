// Standing approvals: what a house agrees to beforehand, by a pattern of questions and a budget. A job that
// fits one is approved when it comes; everything else waits for a person.

import { add, compare, exactly, rational, type Rational } from "@dosimeter/core/exact"
import type { JobOffer } from "@dosimeter/engine"
import { z } from "zod"
import { record } from "../../audit/audit.ts"
import { fail } from "../../errors.ts"
import { may } from "../../people/roles.ts"
import {
  numberOf,
  textOf,
  type StateAccess,
  type StateRow,
  type StateStore,
} from "../../state/state-store.ts"
import type { Actor } from "../../studies/study-state.ts"
import { jsonOf } from "../wire/json.ts"

const amount = z.string().regex(/^\d{1,20}(\.\d{1,60})?(e[+-]?\d{1,3})?$/)

/** What is agreed to. */
export const standingSchema = z.strictObject({
  /** Of the whole question: * stands for any words, but in COUNT(*); letters and spaces are as in SQL. */
  pattern: z.string().min(1).max(2000),
  /** Of one job, */
  epsilonEach: amount,
  /** and of all jobs together. */
  epsilon: amount,
  delta: amount,
  /** Fewer sites are not agreed to. Where each answers by itself, that is one. */
  sitesMin: z.int().min(1).max(100),
  /** The last day. */
  until: z.iso.date(),
})

/** What is agreed to. */
export type StandingTerms = z.infer<typeof standingSchema>

/** A standing approval with what was used of it. */
export interface Standing extends StandingTerms {
  readonly id: number
  readonly madeBy: string
  readonly madeAt: string
  readonly endedAt?: string
  readonly used: { readonly jobs: number; readonly epsilon: Rational; readonly delta: Rational }
}

/** The standing approvals of a node. */
export class StandingApprovals {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** All of them, the newest first. */
  async list(): Promise<readonly Standing[]> {
    return standingIn(this.#store)
  }

  /** Agrees beforehand. */
  async add(given: unknown, actor: Actor): Promise<number> {
    const read = standingSchema.safeParse(given)
    if (!read.success) {
      const [issue] = read.error.issues
      const what = `${(issue?.path ?? []).map(String).join(".")}: ${issue?.message ?? ""}`
      return fail("federation/bad-standing", { what })
    }
    if (!may(actor.role, "review-releases")) return fail("federation/not-allowed", { name: actor.name })
    const at = this.#now().toISOString()
    return this.#store.transaction(async (access) => {
      const rows = await access.all("SELECT max(id) AS id FROM federation_standing")
      const id = Number(rows[0]?.["id"] ?? 0) + 1
      await access.run("INSERT INTO federation_standing (id, body, made_by, made_at) VALUES (?, ?, ?, ?)", [
        id,
        JSON.stringify(read.data),
        actor.name,
        at,
      ])
      const { pattern, epsilonEach, epsilon, delta, until } = read.data
      const facts = { pattern, epsilonEach, epsilon, delta, until, sitesMin: `${read.data.sitesMin}` }
      await record(access, { who: actor.name, what: "standing-made", about: `standing ${id}`, facts }, at)
      return id
    })
  }

  /** Ends one; what it approved stays approved. */
  async end(id: number, actor: Actor): Promise<void> {
    if (!may(actor.role, "review-releases")) return fail("federation/not-allowed", { name: actor.name })
    const at = this.#now().toISOString()
    await this.#store.transaction(async (access) => {
      const changed = await access.run(
        "UPDATE federation_standing SET ended_at = ? WHERE id = ? AND ended_at IS NULL",
        [at, id],
      )
      if (changed === 0) return fail("federation/no-standing", { id: `${id}` })
      await record(access, { who: actor.name, what: "standing-ended", about: `standing ${id}` }, at)
      return undefined
    })
    return undefined
  }
}

/** The standing approval that an offer fits, its budget reserved; part of the caller's transaction. */
export async function takeStanding(
  access: StateAccess,
  offer: JobOffer,
  at: string,
): Promise<Standing | undefined> {
  const fitting = (await standingIn(access)).find((standing) => isFor(standing, offer, at))
  if (fitting === undefined) return undefined
  await access.run(
    "INSERT INTO federation_standing_uses (standing, job, epsilon, delta) VALUES (?, ?, ?, ?)",
    [fitting.id, offer.job, offer.epsilon, offer.delta],
  )
  return fitting
}

/** Whether an offer is one that was agreed to. A pattern is of questions: a model waits for a person. */
export function isFor(standing: Standing, offer: JobOffer, at: string): boolean {
  const { pattern, epsilonEach, epsilon, delta, sitesMin, until, endedAt, used } = standing
  if (endedAt !== undefined || at.slice(0, 10) > until) return false
  const { mode, model, sites } = offer.document
  if (model !== undefined || (mode === "separate" ? 1 : sites.length) < sitesMin) return false
  const [own, ownDelta] = [exactly(offer.epsilon, "epsilon"), exactly(offer.delta, "delta")]
  const fits = (sum: Rational, most: string): boolean => compare(sum, exactly(most, "the budget")) <= 0
  return (
    fitsPattern(pattern, offer.document.sql) &&
    fits(own, epsilonEach) &&
    fits(add(own, used.epsilon), epsilon) &&
    fits(add(ownDelta, used.delta), delta)
  )
}

/**
 * Whether a question fits a pattern as a whole, word by word: so that no fixed word of the pattern is found
 * in a text or a comment of the question. A question that is not surely read as SQL reads it fits none.
 */
export function fitsPattern(pattern: string, sql: string): boolean {
  const [words, text] = [wordsOf(pattern), wordsOf(sql)]
  if (words === undefined || text === undefined) return false
  const [first = [], ...rest] = piecesOf(words)
  const isAt = (piece: readonly string[], place: number): boolean =>
    piece.every((word, index) => text[place + index] === word)
  if (!isAt(first, 0)) return false
  const last = rest.pop()
  if (last === undefined) return text.length === first.length
  let from = first.length
  // Each piece at the first place where it fits: if any choice of places fits, this one does.
  for (const piece of rest) {
    while (from + piece.length <= text.length && !isAt(piece, from)) from += 1
    from += piece.length
  }
  return text.length - last.length >= from && isAt(last, text.length - last.length)
}

/** Names, numbers, texts and signs; small letters but in quotes. Undefined where there may be a comment. */
function wordsOf(sql: string): readonly string[] | undefined {
  const found = sql.match(/'(?:[^'\\]|'')*'|"(?:[^"]|"")*"|[\p{L}\p{M}\p{N}_]+|--|\/\*|\S/gu) ?? []
  if (found.some((word) => ["--", "/*", "'", '"', "\\", "$"].includes(word))) return undefined
  const small = (word: string): string => word.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return found.map((word) => (/^['"]/.test(word) ? word : small(word)))
}

/** What is between the places that stand for anything. */
function piecesOf(words: readonly string[]): readonly (readonly string[])[] {
  const pieces: string[][] = [[]]
  for (const [place, word] of words.entries()) {
    const isCount = words[place - 1] === "(" && words[place + 1] === ")"
    if (word === "*" && !isCount) pieces.push([])
    else pieces.at(-1)?.push(word)
  }
  return pieces
}

async function standingIn(access: StateAccess): Promise<readonly Standing[]> {
  const uses = await access.all("SELECT standing, epsilon, delta FROM federation_standing_uses")
  const rows = await access.all("SELECT * FROM federation_standing ORDER BY id DESC")
  return rows.map((row) =>
    standingOf(
      row,
      uses.filter((use) => numberOf(use, "standing") === numberOf(row, "id")),
    ),
  )
}

function standingOf(row: StateRow, uses: readonly StateRow[]): Standing {
  const sum = (name: string): Rational =>
    uses.map((use) => exactly(textOf(use, name), name)).reduce(add, rational(0n))
  return {
    ...standingSchema.parse(jsonOf(textOf(row, "body"))),
    id: numberOf(row, "id"),
    madeBy: textOf(row, "made_by"),
    madeAt: textOf(row, "made_at"),
    ...(row["ended_at"] === null ? {} : { endedAt: textOf(row, "ended_at") }),
    used: { jobs: uses.length, epsilon: sum("epsilon"), delta: sum("delta") },
  }
}
