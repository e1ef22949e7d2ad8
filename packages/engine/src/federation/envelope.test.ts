import { describe, expect, test } from "vitest"
import { decodeEnvelope, isSealedBy, parseEnvelope, sealed } from "./envelope.ts"
import { decodeJob, jobId, signJob, type JobDocument } from "./job.ts"
import { isPublicKey, Signer } from "./signing.ts"

const coordinator = Signer.make()
const sites = ["north", "south", "west"].map((name) => ({ name, key: Signer.make().publicKey }))

const document: JobDocument = {
  format: "dosimeter-job/1",
  study: "stroke",
  purpose: "How many were treated?",
  sql: "SELECT COUNT(*) FROM patients",
  ask: {
    epsilon: "1",
    delta: "1/100000000",
    confidence: "19/20",
    groupsPerUnit: "1",
    rowsPerGroup: "1",
    shownFrom: "0",
  },
  loss: { accounting: "zcdp", amount: "1/100", delta: "0" },
  layout: "a".repeat(64),
  mode: "summed",
  sites,
  threshold: 3,
  honest: 2,
  colluding: 1,
  coordinator: coordinator.publicKey,
  created: "2026-11-18T10:00:00.000Z",
  deadlines: { approval: "2026-11-19T10:00:00.000Z", stepSeconds: 3600, end: "2026-11-20T10:00:00.000Z" },
  nonce: "b".repeat(64),
}

const message = {
  job: jobId(document),
  step: "approve",
  from: "north",
  to: "coordinator",
  sequence: 0,
  body: { by: "committee" },
}

describe("envelopes", () => {
  const signer = Signer.make()
  const envelope = sealed(message, signer)

  test("a message is that of its sender, whatever way it went", () => {
    const arrived = parseEnvelope(JSON.stringify(envelope))
    expect(arrived).toEqual(envelope)
    expect(isSealedBy(arrived, signer.publicKey)).toBe(true)
    expect(isSealedBy(arrived, Signer.make().publicKey)).toBe(false)
  })

  test.each(["job", "step", "from", "to", "sequence", "body"] as const)("refuses a changed %s", (field) => {
    const other = { job: "c".repeat(64), step: "refuse", from: "west", to: "west", sequence: 1, body: {} }
    expect(isSealedBy({ ...envelope, [field]: other[field] }, signer.publicKey)).toBe(false)
  })

  test("refuses what it does not know", () => {
    const { signature, ...unsigned } = envelope
    const { body, ...empty } = envelope
    const bad = [
      unsigned,
      empty,
      { ...envelope, extra: 1 },
      { ...envelope, sequence: -1 },
      { ...envelope, sequence: 0.5 },
      { ...envelope, from: "../north" },
      { ...envelope, job: "1" },
      { ...envelope, signature: `${signature}=` },
      [envelope],
      body,
      null,
    ]
    for (const one of bad) {
      expect(() => decodeEnvelope(one)).toThrow(expect.objectContaining({ code: "federation/bad-message" }))
    }
    expect(() => parseEnvelope("{")).toThrow(expect.objectContaining({ code: "federation/bad-message" }))
  })

  test("a key is read back from what was kept, and no other text is a key", () => {
    expect(Signer.ofPem(signer.toPem()).publicKey).toBe(signer.publicKey)
    expect(isPublicKey(signer.publicKey)).toBe(true)
    expect(isPublicKey(`${signer.publicKey}A`)).toBe(false)
    expect(() => Signer.ofPem("no key")).toThrow(expect.objectContaining({ code: "federation/bad-key" }))
  })
})

describe("jobs", () => {
  test("a job is read as it was signed", () => {
    const job = signJob(document, coordinator)
    expect(decodeJob(JSON.parse(JSON.stringify(job)))).toEqual(job)
  })

  test("any other field makes another job, which is not signed", () => {
    const { signature } = signJob(document, coordinator)
    const changes: readonly Partial<JobDocument>[] = [
      { sql: "SELECT COUNT(*) FROM visits" },
      { loss: { ...document.loss, amount: "1/10" } },
      { sites: [...sites, { name: "east", key: Signer.make().publicKey }], threshold: 4, honest: 3 },
      { sites: [...sites, { name: "east", key: Signer.make().publicKey }] },
      { layout: "d".repeat(64) },
      { nonce: "e".repeat(64) },
    ]
    for (const change of changes) {
      const other = { ...document, ...change }
      expect(jobId(other)).not.toBe(jobId(document))
      expect(() => decodeJob({ document: other, signature })).toThrow("has not signed")
    }
  })

  const own = (name: string): JobDocument["sites"][number] => ({ name, key: Signer.make().publicKey })
  const twice = own("west")
  test.each<[string, Partial<JobDocument>]>([
    ["sites have equal names", { sites: [own("north"), own("south"), own("north")] }],
    ["sites have equal keys", { sites: [own("north"), twice, { ...twice, name: "south" }] }],
    ["sites are fewer than 3", { sites: [own("north"), own("south")], threshold: 2 }],
    ["threshold lets two sets", { threshold: 2 }],
    ["threshold is above", { threshold: 4 }],
    ["honest sites may be fewer", { honest: 1 }],
    ["honest sites may be fewer", { honest: 2, colluding: 2 }],
    ["noise is too small once a site takes its own share off", { honest: 3, colluding: 0 }],
    ["noise is too small once a site takes its own share off", { honest: 2, colluding: 0 }],
    ["noise is not by site", { mode: "separate" }],
    ["deadlines are not in order", { created: "2026-11-19T11:00:00.000Z" }],
    ["words have signs that nobody sees", { purpose: "to plan\u001b[2K\u001b[1A" }],
    ["words have signs that nobody sees", { study: "heart\u0085Dose: none" }],
    ["words have signs that nobody sees", { sql: "SELECT COUNT(*) FROM patients WHERE a = 'x\u202e'" }],
  ])("refuses a job whose %s", (words, change) => {
    expect(() => decodeJob(signJob({ ...document, ...change }, coordinator))).toThrow(words)
  })
})
