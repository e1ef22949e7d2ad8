import { numberNear } from "@dosimeter/core/exact"
import { lossIn } from "@dosimeter/core/mechanisms"
import { sampleOf, seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { ShuffledBatches } from "../testing/shuffled-batches.ts"
import {
  network,
  networkEpsilon,
  networkEpsilonBounds,
  networkEvents,
  type NetworkOptions,
} from "./network.ts"
import { PoissonSample, stepEvents } from "./poisson-sample.ts"

const options: NetworkOptions = {
  inputs: 4,
  outputs: 2,
  target: "classes",
  people: 1000,
  batch: 50,
  epochs: 5,
  noise: { sigma: "3" },
}

// People, batch, epochs, sigma, delta, and the epsilon worked out by others at 60 digits or by contour
// integrals.
const references = [
  [1000, 50, 5, "3", "1e-5", 0.6514522758023138],
  [1000, 200, 2, "1", "1e-5", 4.984213398691316],
  [1000, 100, 10, "2", "1e-6", 2.6750350816713584],
  [1000, 500, 50, "5", "1e-8", 5.961292936312092],
  [1000, 10, 10, "1", "1e-8", 2.697867934493849],
  [1000, 40, 90, "1.5", "1e-5", 6.768780393407658],
] as const

test.each(sampleOf(references, 2))(
  "%i people, batches of %i, %i epochs, sigma %s: the epsilon at %s is the reference's, and never below",
  (people, batch, epochs, sigma, delta, epsilon) => {
    const model = network({ ...options, people, batch, epochs, noise: { sigma } })
    const { lower, upper } = networkEpsilonBounds(model, delta)
    expect(upper).toBeGreaterThanOrEqual(epsilon * (1 - 1e-9))
    expect(upper).toBeLessThanOrEqual(epsilon * 1.001)
    expect(lower).toBeLessThanOrEqual(epsilon * (1 + 1e-9))
    expect(networkEpsilon(model, delta)).toBeLessThanOrEqual(upper)
  },
)

test("steps are all counted, and a batch of everybody is a plain Gaussian", () => {
  expect(networkEvents(network(options))).toMatchObject({ count: 100, event: { kind: "sampled-gaussian" } })
  const all = network({ ...options, batch: 1000, epochs: 7, noise: { epsilon: "1", delta: "1e-6" } })
  expect(networkEvents(all)).toMatchObject({ count: 7, event: { kind: "gaussian" } })
  const epsilon = networkEpsilon(all, "1e-6")
  expect(epsilon).toBeLessThanOrEqual(1)
  expect(epsilon).toBeGreaterThan(0.999)
})

test("gradients and the count of those within the clip have one noise multiplier together", () => {
  for (const batch of [4, 50, 900]) {
    const model = network({ ...options, batch, adaptsClip: true })
    const specs = [model.gradients, ...(model.within === undefined ? [] : [model.within])]
    const squares = specs.map((spec) => {
      const loss = lossIn(spec, "gdp")
      return loss.measure === "gdp" ? numberNear(loss.muSquared) : NaN
    })
    expect(squares).toHaveLength(2)
    expect(squares.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1 / 9, 12)
  }
})

test("a loader that deals out a shuffled list reaches no accountant: it does not compile", () => {
  const shuffled = new ShuffledBatches(1000, 50)
  const steps = { sigma: network(options).sigma, steps: 100 }
  // @ts-expect-error: what is shuffled is no Poisson sample.
  expect(() => stepEvents(shuffled, steps)).not.toThrow()
  // @ts-expect-error: nor is what looks like one.
  expect(() => stepEvents({ rate: shuffled.rate, draw: () => new Uint32Array(0) }, steps)).not.toThrow()
  // @ts-expect-error: and nobody else can make one.
  expect(() => new PoissonSample(shuffled.rate)).not.toThrow()
})

/** Words that are always the same. */
function always(word: number) {
  return { word: () => word, fill: (words: Uint32Array) => void words.fill(word) }
}

test("a coin is exact at the edge between two words", () => {
  const third = PoissonSample.ofBatch({ batch: 1, people: 3 })
  const edge = Math.floor(2 ** 32 / 3)
  expect(third.draw(5, always(edge - 1))).toHaveLength(5)
  expect(third.draw(5, always(edge + 1))).toHaveLength(0)
  // On the edge itself the rest, 1/3, decides by words of its own.
  const [first, second] = [always(edge), always(5)]
  expect(third.draw(1, { fill: first.fill, word: second.word })).toHaveLength(1)
  expect(third.draw(1, { fill: first.fill, word: () => 2 ** 32 - 1 })).toHaveLength(0)
  expect(PoissonSample.ofBatch({ batch: 9, people: 3 }).draw(4, always(2 ** 32 - 1))).toHaveLength(4)
})

test("a sample is of rows in order, about as many as the rate says", () => {
  const drawn = PoissonSample.ofBatch({ batch: 100, people: 1000 }).draw(10_000, seededBits("a sample"))
  expect([...drawn]).toEqual([...new Set(drawn)].toSorted((a, b) => a - b))
  expect(Math.abs(drawn.length - 1000)).toBeLessThan(200)
})

test.each([
  [{ inputs: 0 }, "model/bad-setting"],
  [{ hidden: [0.5] }, "model/bad-setting"],
  [{ outputs: 1 }, "model/one-class"],
  [{ target: "numbers" }, "model/bad-setting"],
  [{ hidden: [60_000, 60_000] }, "model/bad-setting"],
  [{ people: 1e9, batch: 1 }, "model/bad-setting"],
  [{ optimizer: { kind: "adam", rate: NaN } }, "model/bad-setting"],
  [{ people: 0 }, "model/bad-setting"],
  [{ batch: 0.5 }, "model/bad-setting"],
  [{ clip: NaN }, "model/bad-setting"],
  [{ noise: { sigma: "0" } }, "model/no-loss"],
] as const)("refuses %o before anything is read", (part, code) => {
  expect(() => network({ ...options, ...part })).toThrow(expect.objectContaining({ code }))
})
