// What every ledger must do about failures and about charges whose process has ended, whatever it is kept in.

import { rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import type { FailureCause } from "../../ledger/entries/failure-entries.ts"
import type { Ledger, Reservation } from "../../ledger/ledger.ts"
import { pureBudget, refusal, request } from "../ledger-fixtures.ts"

/** Opens one ledger as often as it is called: as several processes do, or one after the other. */
export type OpenAgain = () => Promise<Ledger>

/** Declares the tests; `place` gives an opener of a new and empty ledger. */
export function incidentConformance(place: () => Promise<OpenAgain>): void {
  doorTests(place)
  untoldTests(place)
  seriesTests(place)
  takeOverTests(place)
  leftTests(place)
  rebindingTests(place)
  lostTests(place)
}

type Place = Parameters<typeof incidentConformance>[0]

const tenth = rational(1n, 10n)
const answer = { answer: '{"count":12}', receipt: "{}" }
const looked = { by: ["olga"], why: "the disk was full" }

async function begin(place: Place): Promise<{ readonly ledger: Ledger; readonly again: OpenAgain }> {
  const again = await place()
  const ledger = await again()
  await ledger.openAccount("dataset", pureBudget("10"))
  return { ledger, again }
}

async function failing(ledger: Ledger, cause: FailureCause, changes = {}): Promise<Reservation> {
  const charge = await ledger.reserve(request(tenth, changes))
  await ledger.settle(charge, { outcome: "failed", cause })
  return charge
}

function doorTests(place: Place): void {
  test("[I1] a failure closes the door of who asked, everywhere, until the owner has looked", async () => {
    const { ledger, again } = await begin(place)
    const paid = await ledger.reserve(request(tenth))
    await ledger.settle(paid, { outcome: "released", release: answer })
    const charge = await failing(ledger, "database", { study: "heart" })
    const spent = (await ledger.accounts())[0]?.spent
    const [incident] = await ledger.incidents()
    const position = charge.position + 1n
    expect(incident).toMatchObject({ position, charge: charge.position, cause: "database", principal: "ana" })
    expect(incident).toMatchObject({ study: "heart", isUntold: false })
    const other = await again()
    for (const door of [ledger, other]) {
      const refused = await refusal(door.reserve(request(tenth, { study: "another" })))
      expect(refused.code).toBe("ledger/door-closed")
      expect(refused.help).toContain(`dosimeter incidents acknowledge ${position} --reason`)
      // What was answered can be read.
      expect(await door.find(paid)).toMatchObject(answer)
    }
    expect((await ledger.accounts())[0]?.spent).toEqual(spent)
    await other.reserve(request(tenth, { principal: "ben" }))
    expect((await refusal(other.reopen(position + 1n, looked))).code).toBe("ledger/no-incident")
    expect((await refusal(other.reopen(position, { by: [], why: "" }))).code).toBe("ledger/bad-name")
    await other.reopen(position, looked)
    expect((await refusal(ledger.reopen(position, looked))).code).toBe("ledger/no-incident")
    expect((await ledger.incidents())[0]?.seen).toMatchObject(looked)
    await ledger.reserve(request(tenth))
    expect(await other.verify()).toMatchObject({ sound: true })
    await other.close()
    await ledger.close()
  })

  test("[I1] every failure has to be looked at, and what the asker has stopped is none", async () => {
    const { ledger } = await begin(place)
    await failing(ledger, "cancelled")
    expect(await ledger.incidents()).toEqual([])
    // Two were under way when the first of them failed.
    const [first, second] = [await ledger.reserve(request(tenth)), await ledger.reserve(request(tenth))]
    await ledger.settle(first, { outcome: "failed", cause: "time" })
    await ledger.settle(second, { outcome: "failed", cause: "extract" })
    const [one, two] = await ledger.incidents()
    await ledger.reopen(one?.position ?? 0n, looked)
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("ledger/door-closed")
    await ledger.reopen(two?.position ?? 0n, looked)
    await ledger.reserve(request(tenth))
    await ledger.close()
  })
}

function untoldTests(place: Place): void {
  test("[I3] a failure where answers wait closes no door, and is found by its question", async () => {
    const { ledger, again } = await begin(place)
    const question = { planHash: "held", dataVersion: "v1" }
    const charge = await failing(ledger, "database", { ...question, held: true })
    expect(await ledger.incidents()).toMatchObject([{ cause: "database", isUntold: true }])
    await ledger.reserve(request(tenth))
    const other = await again()
    const asked = request(tenth, { ...question, principal: "ben" })
    expect(await other.findRequest(asked)).toEqual({ state: "unknown", untold: charge.position })
    expect(await other.findRequest(charge)).toMatchObject({ state: "failed", untold: charge.position })
    expect(await other.findRequest({ ...asked, dataVersion: "v2" })).toEqual({ state: "unknown" })
    expect(await other.verify()).toMatchObject({ sound: true })
    await other.close()
    await ledger.close()
  })

  test("[I3] of equal questions at once each fails untold, and can be asked anew when an owner has looked", async () => {
    const { ledger, again } = await begin(place)
    const question = { planHash: "held", dataVersion: "v1" }
    const asked = request(tenth, { ...question, held: true })
    const [one, two] = [await ledger.reserve(asked), await ledger.reserve({ ...asked, requestId: "second" })]
    // The second to be charged is the first to fail.
    for (const charge of [two, one]) await ledger.settle(charge, { outcome: "failed", cause: "database" })
    const other = await again()
    const anew = request(tenth, { ...question, principal: "ben" })
    for (const door of [ledger, other]) {
      expect(await door.findRequest(one)).toMatchObject({ state: "failed", untold: one.position })
      expect(await door.findRequest(two)).toMatchObject({ state: "failed", untold: two.position })
      expect(await door.findRequest(anew)).toEqual({ state: "unknown", untold: two.position })
    }
    const [first, second] = await ledger.incidents()
    await ledger.reopen(first?.position ?? 0n, looked)
    expect(await other.findRequest(anew)).toEqual({ state: "unknown", untold: one.position })
    await ledger.reopen(second?.position ?? 0n, looked)
    expect(await other.findRequest(anew)).toEqual({ state: "unknown" })
    expect(await other.findRequest(one)).toMatchObject({ state: "failed", untold: one.position })
    await other.close()
    await ledger.close()
  })
}

function seriesTests(place: Place): void {
  test("[I1] a step of a series that fails closes the door of who has made it", async () => {
    const { ledger } = await begin(place)
    const charge = await ledger.reserve(request(tenth, { steps: 5n }))
    expect((await refusal(ledger.failStep(charge.position, "time"))).code).toBe("ledger/series-elsewhere")
    await ledger.settle(charge, { outcome: "released", release: answer })
    await ledger.checkSeries(charge.position)
    await ledger.failStep(charge.position, "time")
    const extended = ledger.extend({ charge: charge.position, after: 0n, through: 1n }, answer)
    const refused = [
      refusal(ledger.checkSeries(charge.position)),
      refusal(extended),
      refusal(ledger.reserve(request(tenth))),
    ]
    expect((await Promise.all(refused)).map(({ code }) => code)).toEqual([
      "ledger/door-closed",
      "ledger/door-closed",
      "ledger/door-closed",
    ])
    expect(await ledger.verify()).toMatchObject({ sound: true })
    await ledger.close()
  })
}

function takeOverTests(place: Place): void {
  test("[I2] a charge is taken over when its holder has ended, once, and by one", async () => {
    const { ledger, again } = await begin(place)
    const asked = request(tenth)
    const charge = await ledger.reserve(asked)
    const [one, two] = [await again(), await again()]
    expect(await one.takeOver(charge)).toBeUndefined()
    expect(await ledger.takeOver(charge)).toBeUndefined()
    await ledger.close()
    const taken = await Promise.all([one.takeOver(charge), two.takeOver(charge)])
    const [won] = taken.flatMap((held) => held ?? [])
    expect(taken.filter((held) => held !== undefined)).toHaveLength(1)
    expect(won).toMatchObject({ position: charge.position, requestId: asked.requestId })
    if (won === undefined) return
    // Whoever held it before shows nothing.
    const late = await refusal(one.settle(charge, { outcome: "released", release: answer }))
    expect(late.code).toBe("ledger/already-settled")
    await one.settle(won, { outcome: "released", release: answer })
    expect(await two.findRequest(asked)).toMatchObject({ state: "released", release: answer })
    expect((await two.accounts())[0]?.spent).toEqual(tenth)
    expect(await two.takeOver(charge)).toBeUndefined()
    expect(await two.incidents()).toEqual([])
    expect(await two.verify()).toMatchObject({ sound: true })
    await one.close()
    await two.close()
  })

  test("[I2] the same question under another request finds the charge that was left", async () => {
    const { ledger, again } = await begin(place)
    const charge = await ledger.reserve(request(tenth, { study: "heart" }))
    await ledger.close()
    const next = await again()
    const same = { ...charge, requestId: "another", study: "heart" }
    expect(await next.findRequest(same)).toMatchObject({ left: { position: charge.position } })
    for (const other of [{ principal: "ben" }, { study: "lung" }, { dataVersion: "v2" }, { planHash: "p" }]) {
      expect(await next.findRequest({ ...same, ...other })).toEqual({ state: "unknown" })
    }
    await next.close()
  })
}

function leftTests(place: Place): void {
  test("[I1] a closed door lets nothing through that another process has left", async () => {
    const { ledger, again } = await begin(place)
    const charge = await ledger.reserve(request(tenth))
    await ledger.close()
    const next = await again()
    await failing(next, "bug")
    expect((await refusal(next.takeOver(charge))).code).toBe("ledger/door-closed")
    const [incident] = await next.incidents()
    await next.reopen(incident?.position ?? 0n, looked)
    expect(await next.takeOver(charge)).toMatchObject({ position: charge.position })
    expect(await next.verify()).toMatchObject({ sound: true })
    await next.close()
  })
}

function rebindingTests(place: Place): void {
  test("[B8] a process that was opened before losses were given another meaning charges nothing more", async () => {
    const again = await place()
    const [old, next] = [await again(), await again()]
    const policy = { by: ["the owner"], why: "stated in the policy" }
    const terms = { unit: "visit", neighbours: "add-or-remove" }
    await old.openAccount("dataset", pureBudget("10"), { ...policy, terms })
    await next.openAccount("dataset", pureBudget("10"), {
      ...policy,
      terms: { ...terms, "table bills": "id" },
    })
    const series = await old.reserve(request(tenth, { steps: 5n }))
    await old.settle(series, { outcome: "released", release: answer })
    const spent = { amount: rational(3n), delta: rational(0n) }
    const both = { by: ["olga", "carl"], why: "the unit is the patient" }
    await next.rebind({ ...terms, unit: "patient" }, { ...both, spent })
    const step = { charge: series.position, after: 0n, through: 1n }
    for (const wish of [
      () => old.reserve(request(tenth)),
      () => old.checkSeries(series.position),
      () => old.extend(step, answer),
    ]) {
      expect(await refusal(wish())).toMatchObject({ code: "ledger/terms-differ" })
    }
    await next.reserve(request(tenth))
    // Whoever states the terms of now goes on.
    await old.openAccount("dataset", pureBudget("10"), { ...policy, terms: { unit: "patient" } })
    await old.reserve(request(tenth))
    // A charge covers losses of its own meaning only: nobody goes on with the series, in no process.
    for (const wish of [() => old.checkSeries(series.position), () => old.extend(step, answer)]) {
      expect(await refusal(wish())).toMatchObject({ code: "ledger/series-of-other-terms" })
    }
    expect(await old.verify()).toMatchObject({ sound: true })
    await old.close()
    await next.close()
  })

  test("[B8] a charge from before another meaning of losses is not taken over", async () => {
    const again = await place()
    const left = await again()
    const policy = { by: ["the owner"], why: "stated in the policy" }
    await left.openAccount("dataset", pureBudget("10"), { ...policy, terms: { unit: "visit" } })
    const charge = await left.reserve(request(tenth))
    await left.close()
    const next = await again()
    const both = { by: ["olga", "carl"], why: "the unit is the patient" }
    await next.rebind({ unit: "patient" }, { ...both, spent: { amount: rational(3n), delta: rational(0n) } })
    await next.openAccount("dataset", pureBudget("10"), { ...policy, terms: { unit: "patient" } })
    expect((await refusal(next.takeOver(charge))).code).toBe("ledger/request-failed")
    expect(await next.verify()).toMatchObject({ sound: true })
    await next.close()
  })
}

function lostTests(place: Place): void {
  test("[I2] what ends its second holder has failed, and closes the door", async () => {
    const { ledger, again } = await begin(place)
    const charge = await ledger.reserve(request(tenth, { held: true }))
    await ledger.close()
    const second = await again()
    const taken = await second.takeOver(charge)
    expect(taken).toBeDefined()
    await second.close()
    if (taken === undefined) return
    const third = await again()
    expect((await refusal(third.takeOver(taken))).code).toBe("ledger/request-failed")
    // That a process ends is seen by everybody.
    expect(await third.incidents()).toMatchObject([{ cause: "lost", isUntold: false }])
    expect((await refusal(third.reserve(request(tenth)))).code).toBe("ledger/door-closed")
    expect(await third.findRequest(charge)).toMatchObject({ state: "failed" })
    expect(await third.verify()).toMatchObject({ sound: true })
    await third.close()
  })

  test("[I2] where two processes end over the questions of one principal, the door closes", async () => {
    const { ledger, again } = await begin(place)
    await ledger.reserve(request(tenth))
    await ledger.close()
    const second = await again()
    // One end is an accident, and others' questions have nothing to do with it.
    await second.reserve(request(tenth))
    await second.reserve(request(tenth, { principal: "ben" }))
    await second.close()
    const third = await again()
    await third.reserve(request(tenth, { principal: "ben" }))
    expect((await refusal(third.reserve(request(tenth)))).code).toBe("ledger/door-closed")
    expect((await third.incidents()).map(({ cause, principal }) => [cause, principal])).toEqual([
      ["lost", "ana"],
      ["lost", "ana"],
    ])
    for (const { position } of await third.incidents()) await third.reopen(position, looked)
    await third.reserve(request(tenth))
    await third.close()
  })
}
