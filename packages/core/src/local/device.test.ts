import { expect, test } from "vitest"
import { refusalOf } from "../testing/refusals.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { openDevice, type DeviceStore, type Question } from "./device.ts"
import { binaryProtocol, karyProtocol } from "./kary.ts"
import { memoKary, memoUnary } from "./memo.ts"

interface TestStore extends DeviceStore {
  readonly texts: string[]
}

function memory(...texts: string[]): TestStore {
  return { texts, load: () => texts.at(-1), save: (text) => void texts.push(text) }
}

const yesNo = (answer: number, study = "flu"): Question => ({
  study,
  question: "fever",
  protocol: binaryProtocol({ epsilon: 1 }),
  answer,
})
const repeated = (answer: number, period = "May"): Question => ({
  study: "sleep",
  question: "hours",
  protocol: memoKary({ values: 64, permanent: 2, each: 1 }),
  answer,
  period,
  periodsMax: 2,
})
const rng = seededBits("device")

test("[L3] a question is randomized once, whatever the answer becomes, also after a restart", () => {
  const store = memory()
  const first = openDevice({ store, limit: 4 }).report(yesNo(1), rng)
  for (let i = 0; i < 20; i += 1) {
    const again = openDevice({ store, limit: 4 }).report(yesNo(i % 2), rng)
    expect(again).toEqual(first)
  }
  expect(Number(openDevice({ store, limit: 4 }).lost().spent)).toBeCloseTo(1, 9)
})

test("[L3] the limit holds for all studies together, also after a restart", () => {
  const store = memory()
  openDevice({ store, limit: "2.5" }).report(yesNo(1, "first"), rng)
  openDevice({ store, limit: "2.5" }).report(yesNo(1, "second"), rng)
  const error = refusalOf(() => openDevice({ store, limit: "2.5" }).report(yesNo(1, "third"), rng))
  expect(error.code).toBe("local/limit-reached")
  expect(openDevice({ store, limit: "2.5" }).report(yesNo(0, "first"), rng).payload).toBeDefined()
})

test("[L3] what is lost is saved before a report leaves", () => {
  const failing: DeviceStore = {
    load: () => undefined,
    save: () => {
      throw new Error("the disk is full")
    },
  }
  const device = openDevice({ store: failing, limit: 4 })
  expect(() => device.report(yesNo(1), rng)).toThrow("the disk is full")
  expect(device.lost().spent).toBe("0")
})

test("[L3] a memory pays for its periods at once, and goes on with the last of them", () => {
  const store = memory()
  const device = openDevice({ store, limit: 4 })
  const told = ["May", "May", "June"].map((period) => device.report(repeated(7, period), rng).payload)
  expect(Number(device.lost().spent)).toBeCloseTo(4, 9)
  const paid = store.texts.length
  // A third period is neither paid for nor refused, and nothing new is kept.
  for (let i = 0; i < 20; i += 1) device.report(repeated(11, "July"), rng)
  expect(store.texts.length).toBe(paid)
  // Fresh noise in every report.
  expect(
    new Set([...told, ...Array.from({ length: 30 }, () => device.report(repeated(7), rng).payload)]).size,
  ).toBeGreaterThan(3)
})

test("[L3] within a period reports do not depend on how the answer changes, bit for bit", () => {
  const course = (answers: readonly number[], seed: number): readonly string[] => {
    const device = openDevice({ store: memory(), limit: 4 })
    const bits = seededBits(`course ${seed}`)
    const reports = (period: string): readonly string[] =>
      answers.map((answer) => device.report(repeated(answer, period), bits).payload)
    // After the second period no more is paid for: the third is about what the second began with.
    return [...reports("May"), ...reports("June"), ...reports("July")]
  }
  for (let seed = 0; seed < 60; seed += 1) {
    const constant = course([7, 7, 7, 7, 7, 7], seed)
    expect(course([7, 9, 7, 9, 7, 9], seed)).toEqual(constant)
    expect(course([7, 1, 2, 3, 4, 5], seed)).toEqual(constant)
  }
})

test("[L3] every period draws anew, also where the answer stays", () => {
  const store = memory()
  const device = openDevice({ store, limit: 200 })
  const periods = Array.from({ length: 40 }, (_, index) => `week ${index}`)
  for (const period of periods) device.report({ ...repeated(7, period), periodsMax: 40 }, rng)
  const kept = [...(store.texts.at(-1) ?? "").matchAll(/"report":"([^"]*)"/g)].map(([, report]) => report)
  expect(kept).toHaveLength(40)
  expect(new Set(kept).size).toBeGreaterThan(5)
})

test("a state of the version before counts its answers as periods and forgets them", () => {
  const store = memory()
  openDevice({ store, limit: 4 }).report(repeated(7), rng)
  const old = (store.texts.at(-1) ?? "")
    .replace('"version":2', '"version":1')
    .replace('"period":"May"', '"answer":"7"')
  const later = memory(old)
  const device = openDevice({ store: later, limit: 4 })
  device.report(repeated(9, "June"), rng)
  device.report(repeated(9, "July"), rng)
  expect(later.texts.at(-1)).not.toContain('"answer"')
  // One answer and one period: both that were paid for.
  expect(later.texts.at(-1)?.match(/"report"/g)).toHaveLength(2)
  expect(Number(device.lost().spent)).toBeCloseTo(4, 9)
})

test("the price of a memory does not depend on the answers", () => {
  const spent = (answers: readonly number[]): string => {
    const device = openDevice({ store: memory(), limit: 8 })
    for (const answer of answers) device.report(repeated(answer), rng)
    return device.lost().spent
  }
  expect(spent([1, 1, 1])).toBe(spent([1, 2, 3]))
})

test("bits of a unary memory are flipped again for every report", () => {
  const device = openDevice({ store: memory(), limit: 8 })
  const question = { ...repeated(3), protocol: memoUnary({ values: 16, permanent: 2, each: 1 }) }
  const seen = new Set(Array.from({ length: 20 }, () => device.report(question, rng).payload))
  expect(seen.size).toBeGreaterThan(10)
})

test("a withdrawal forgets the answers, keeps the loss, and is for good", () => {
  const store = memory()
  const device = openDevice({ store, limit: 4 })
  device.report(yesNo(1), rng)
  device.withdraw("flu")
  expect(store.texts.at(-1)).not.toContain("fever")
  const later = openDevice({ store, limit: 4 })
  expect(refusalOf(() => later.report(yesNo(1), rng)).code).toBe("local/withdrawn")
  expect(Number(later.lost().spent)).toBeCloseTo(1, 9)
})

test("a question with other parameters is another question", () => {
  const device = openDevice({ store: memory(), limit: 9 })
  device.report(yesNo(1), rng)
  const changed = { ...yesNo(1), protocol: karyProtocol({ values: 2, epsilon: 3 }) }
  expect(refusalOf(() => device.report(changed, rng)).code).toBe("local/question-changed")
})

test.each(["", "{}", "null", '{"version":1}', '{"version":1,"spent":"-1","told":[],"withdrawn":[]}', "["])(
  "a memory that cannot be read is refused: %s",
  (text) => {
    const error = refusalOf(() => openDevice({ store: memory(text), limit: 4 }))
    expect(["local/state-unreadable", "parameter/negative"]).toContain(error.code)
  },
)
