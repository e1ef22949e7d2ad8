// What a site that takes part learns: the answer less its own share of the noise. Laws of shares are added up
// by convolution, sharing no code with the proof, for every job of few sites that a site would take.

import { numberNear } from "@dosimeter/core/exact"
import type { ShareSpec } from "@dosimeter/core/distributed"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { beforeAll, describe, expect, test } from "vitest"
import { FederatedJob, type StudyOptions } from "./coordinator.ts"
import { checkFloor } from "./floor.ts"
import { decodeJob, signJob, type JobDocument } from "./job.ts"
import { offerOf } from "./offer-words.ts"
import { amountOf, planJob } from "./plan-job.ts"
import { receiptOfJob } from "./receipt-of-job.ts"
import { Signer } from "./signing.ts"
import { sumTermsOf } from "./sum-of-job.ts"

const accountings = ["zcdp", "pure"] as const
const sql = "SELECT COUNT(*) AS n FROM patients"
const coordinator = Signer.make()
const sites = Array.from({ length: 5 }, (_, index) => ({
  name: `site-${index}`,
  key: Signer.make().publicKey,
}))
let grammar: Grammar

beforeAll(async () => {
  grammar = await loadGrammar()
})

function study(accounting: string): StudyOptions {
  const policy = readPolicy(`dataset: study
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-5, accounting: ${accounting} }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
`)
  return { policy, grammar, signer: coordinator }
}

function jobOf(accounting: string, count: number): JobDocument {
  const start = new Date("2026-11-18T10:00:00.000Z")
  const later = (hours: number): string => new Date(start.getTime() + hours * 3_600_000).toISOString()
  const ask = { epsilon: "1", delta: "1/100000000", confidence: "19/20" }
  const request = {
    study: "ages",
    purpose: "to see it work",
    sql,
    sites: sites.slice(0, count),
    ask: { ...ask, groupsPerUnit: "1", rowsPerGroup: "1", shownFrom: "0" },
    deadlines: { approval: later(24), stepSeconds: 3600, end: later(72) },
  }
  return FederatedJob.create(study(accounting), request, start).document.document
}

/** Every job of so many sites that decodes, whatever its numbers. */
function taken(accounting: string, count: number): readonly JobDocument[] {
  const usual = jobOf(accounting, count)
  const each = Array.from({ length: count + 1 }, (_, index) => index)
  return each.flatMap((threshold) =>
    each.flatMap((honest) =>
      each.flatMap((colluding) => {
        const document = { ...usual, threshold, honest, colluding }
        try {
          return [decodeJob(signJob(document, coordinator)).document]
        } catch {
          return []
        }
      }),
    ),
  )
}

type Weights = Float64Array

function convolve(a: Weights, b: Weights): Weights {
  const sum = new Float64Array(a.length + b.length - 1)
  for (const [i, x] of a.entries()) for (const [j, y] of b.entries()) sum[i + j] = (sum[i + j] ?? 0) + x * y
  return sum
}

function sumOf(law: Weights, count: number): Weights {
  let sum = law
  for (let more = 1; more < count; more += 1) sum = convolve(sum, law)
  return sum
}

/** A discrete Gaussian on -reach .. reach. */
function bell(variance: number): Weights {
  const reach = Math.ceil(12 * Math.sqrt(variance))
  const law = Float64Array.from({ length: 2 * reach + 1 }, (_, place) =>
    Math.exp(-((place - reach) ** 2) / (2 * variance)),
  )
  const total = law.reduce((sum, one) => sum + one, 0)
  return law.map((one) => one / total)
}

/** Difference of two negative binomials with r = 1 / honest, on -reach .. reach. */
function laplacePart(scale: number, honest: number): Weights {
  const reach = Math.ceil(30 * scale)
  const side = new Float64Array(2 * reach + 1)
  side[0] = (1 - Math.exp(-1 / scale)) ** (1 / honest)
  for (let k = 1; k < side.length; k += 1) {
    side[k] = ((side[k - 1] ?? 0) * Math.exp(-1 / scale) * (k - 1 + 1 / honest)) / k
  }
  return Float64Array.from({ length: 2 * reach + 1 }, (_, place) => {
    const off = Math.abs(place - reach)
    return side.reduce((sum, one, k) => sum + one * (side[k + off] ?? 0), 0)
  })
}

/** What is lost where so many shares are left, as a part of what is charged: one person is one count. */
function lossLeft(share: ShareSpec, left: number, charged: number): number {
  if (share.kind === "laplace-share") {
    const law = sumOf(laplacePart(numberNear(share.of.scale), Number(share.honest)), left)
    const middle = (law.length - 1) / 2
    let most = 0
    for (let x = 0; x < 10; x += 1) {
      most = Math.max(most, Math.abs(Math.log((law[middle + x] ?? 1) / (law[middle + x + 1] ?? 1))))
    }
    return most / charged
  }
  const step = 2 ** share.finer
  // Shares of one number: the variance that the proof counts on, by the mechanism's own.
  if (share.of.kind !== "gaussian") throw new Error("a count has Gaussian noise")
  const law = sumOf(bell((numberNear(share.of.variance) * step ** 2) / Number(share.honest)), left)
  const orders = [1.1, 2, 5].map((order) => {
    const sum = law.reduce((total, p, place) => {
      const q = law[place + step] ?? 0
      return p > 1e-250 && q > 1e-250 ? total + p * (p / q) ** (order - 1) : total
    }, 0)
    return Math.log(sum) / (order - 1) / order
  })
  return Math.max(...orders) / charged
}

describe.each(accountings)("in %s accounts", (accounting) => {
  test.each([3, 4, 5])(
    "no job of %d sites tells a site, or those in league, more than is charged",
    (count) => {
      const found = taken(accounting, count)
      const { threshold: usual, honest: counted } = jobOf(accounting, count)
      expect(found.some(({ threshold, honest }) => threshold === usual && honest === counted)).toBe(true)
      const seen = new Map<string, number>()
      for (const { threshold, honest, colluding, ask, loss } of found) {
        const [share] = planJob(sql, ask, honest, study(accounting)).shares
        if (share === undefined) throw new Error("a count is measured")
        const charged = numberNear(amountOf(loss.amount))
        const lost = (left: number): number => {
          const key = `${honest} ${left}`
          const known = seen.get(key) ?? lossLeft(share, left, charged)
          seen.set(key, known)
          return known
        }
        // The stretch of variances (2^-32) is not in the laws above.
        expect(lost(threshold - 1)).toBeLessThan(1 + 1e-6)
        expect(lost(threshold - colluding)).toBeLessThan(1 + 1e-6)
        // With one share fewer than counted on it would be more: the check can fail.
        expect(lost(honest - 1)).toBeGreaterThan(1.1)
      }
    },
  )

  test("the terms of a sum are refused by the loss, whatever a document says of itself", () => {
    const usual = jobOf(accounting, 4)
    const planned = planJob(sql, usual.ask, usual.honest, study(accounting))
    expect(sumTermsOf(usual, planned)).toMatchObject({ threshold: 3, honest: 2, colluding: 1 })
    const wrong = [{ honest: 3, colluding: 0 }, { colluding: 2 }, { threshold: 2 }]
    for (const change of wrong) {
      const document = { ...usual, ...change }
      const own = planJob(sql, document.ask, document.honest, study(accounting))
      expect(() => sumTermsOf(document, own)).toThrow("its noise is too small")
    }
    // A plan for more honest sites has less noise in a share.
    const thin = planJob(sql, usual.ask, 3, study(accounting))
    expect(() => sumTermsOf(usual, thin)).toThrow("surviving sites")
  })
})

test("offer and receipt say what holds against a site that takes part", () => {
  const document = jobOf("zcdp", 5)
  const planned = planJob(sql, document.ask, document.honest, study("zcdp"))
  expect(document).toMatchObject({ threshold: 4, honest: 3, colluding: 1 })
  const { words } = offerOf(document, planned)
  expect(words.join()).toContain("each can take its own share off the answer")
  const survivors = document.sites.map(({ name }) => name)
  const { toPublic, toSite, toCoordinator } = receiptOfJob(document, planned, { survivors, lost: [] })
  const { epsilon, delta } = toCoordinator
  expect(toSite).toEqual({ epsilon, delta, others: 0 })
  expect(Number(toPublic.epsilon)).toBeLessThan(Number(epsilon))
})

test("a site takes no sum below its floor, and separate noise has none", () => {
  const document = jobOf("zcdp", 5)
  expect(() => checkFloor(document)).not.toThrow()
  for (const [floor, words] of [
    [{ sites: 6, honest: 2, colluding: 1 }, "5 sites"],
    [{ sites: 3, honest: 4, colluding: 1 }, "3 honest sites"],
    [{ sites: 3, honest: 2, colluding: 2 }, "1 sites in league"],
  ] as const) {
    expect(() => checkFloor(document, floor)).toThrow(words)
    expect(() => checkFloor({ ...document, mode: "separate" }, floor)).not.toThrow()
  }
})
