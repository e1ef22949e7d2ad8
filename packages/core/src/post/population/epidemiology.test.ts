// Without noise, estimates about a population are the classical ones: published values.

import { describe, expect, test } from "vitest"
import { differenceOfRatios, ratioOfRatios } from "./compared-ratios.ts"
import type { Estimate } from "../estimates/estimate.ts"
import { hazardRatio } from "./hazard-ratio.ts"
import { chiSquareTail, logRankTest } from "./log-rank.ts"
import { independentNumbers, publicNumbers, type NoisyNumbers } from "../estimates/noisy-numbers.ts"
import { sampledRatio, type SampledEstimate } from "./sampled-ratio.ts"
import { survivalCurve } from "./survival.ts"
import { weightedRate } from "./weighted-rate.ts"

const shown = ({ value, low, high }: SampledEstimate, digits = 4): readonly string[] =>
  [value ?? Number.NaN, low, high].map((number) => number.toFixed(digits))

/** Freireich and others 1963, in Gehan 1965: weeks of remission of 42 children with leukaemia. */
const mercaptopurine = {
  relapsed: [6, 6, 6, 7, 10, 13, 16, 22, 23],
  censored: [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35],
}
const placebo = {
  relapsed: [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23],
  censored: [],
}
const weeks = Array.from({ length: 36 }, (_, week) => week)
const counted = (times: readonly number[]): readonly number[] =>
  weeks.map((week) => times.filter((time) => time === week).length)
const histogram = ({ relapsed, censored }: typeof mercaptopurine | typeof placebo): readonly number[] => [
  ...counted(relapsed),
  ...counted(censored),
]

describe("survival", () => {
  test("is Kaplan and Meier's, with Greenwood's variance", () => {
    const curve = survivalCurve(publicNumbers(histogram(mercaptopurine)), 0.05)
    const rows = [6, 7, 10, 13, 16, 22, 23].map((week) => {
      const { value = 0, greenwood = 0, atRisk = 0 } = curve[week] ?? {}
      return [week, atRisk, value.toFixed(4), Math.sqrt(greenwood).toFixed(4)]
    })
    expect(rows).toEqual([
      [6, 21, "0.8571", "0.0764"],
      [7, 17, "0.8067", "0.0869"],
      [10, 15, "0.7529", "0.0963"],
      [13, 12, "0.6902", "0.1068"],
      [16, 11, "0.6275", "0.1141"],
      [22, 7, "0.5378", "0.1282"],
      [23, 6, "0.4482", "0.1346"],
    ])
  })

  test("has Wilson's interval where nobody left early", () => {
    const [only] = survivalCurve(publicNumbers([81, 182]), 0.05)
    const risk = sampledRatio(publicNumbers([182, 263]), "binomial", 0.05)
    expect(only?.value).toBeCloseTo(risk.value ?? 0, 12)
    expect(only?.low).toBeCloseTo(risk.low, 9)
    expect(only?.high).toBeCloseTo(risk.high, 9)
  })

  test("carries the noise of all counts through the product", () => {
    // S = c / (d + c), so its derivatives are -c / n^2 by d and d / n^2 by c.
    const noisy = (value: number): Estimate => ({ value, variance: 4, law: "gaussian" })
    const [only] = survivalCurve(independentNumbers([noisy(20), noisy(80)]), 0.05)
    expect(only?.noise).toBeCloseTo((4 * (80 ** 2 + 20 ** 2)) / 100 ** 4, 12)
    // Two bins: S = (1 - 20 / 100) (1 - 8 / 80), and who is last seen in the first bin counts in it alone.
    const [, second] = survivalCurve(independentNumbers([20, 8, 0, 72].map(noisy)), 0.05)
    const [a, b] = [20 / 100 ** 2, 8 / 80 ** 2]
    const parts = [0.9 * (a - 1 / 100), 0.9 * a + 0.8 * (b - 1 / 80), 0.9 * a, 0.9 * a + 0.8 * b]
    expect(second?.noise).toBeCloseTo(4 * parts.reduce((sum, part) => sum + part * part, 0), 12)
  })

  test("never rises and stays between 0 and 1, whatever the noise", () => {
    const noisy = [3, -9, 14, -2, 40, -11, 1, 5, -7, 2, 3, 30]
    const numbers = independentNumbers(noisy.map((value) => ({ value, variance: 50, law: "gaussian" })))
    const curve = survivalCurve(numbers, 0.05)
    const values = curve.flatMap(({ value }) => (value === undefined ? [] : [value]))
    expect(values).not.toEqual([])
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    for (const { low, high } of curve) {
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
      expect(low).toBeLessThanOrEqual(high)
    }
  })

  test("is unknown from where nobody is left", () => {
    const [first, second, third] = survivalCurve(publicNumbers([2, 0, 0, 1, 3, 0]), 0.05)
    expect([first?.value, second?.value, third?.value]).toEqual([1 - 2 / 6, 1 - 2 / 6, undefined])
    expect(third?.low).toBe(0)
  })

  test("reaches 0 with an upper end above it", () => {
    const [, last] = survivalCurve(publicNumbers([5, 5, 0, 0]), 0.05)
    expect(last?.value).toBe(0)
    expect(last?.low).toBe(0)
    expect(last?.high).toBeGreaterThan(0.1)
    expect(last?.high).toBeLessThan(0.5)
  })
})

describe("the hazard ratio", () => {
  const exact = [...histogram(mercaptopurine), ...histogram(placebo)]

  test("is that of Poisson's regression with a rate for each week", () => {
    const { value = 0, low, high } = hazardRatio(publicNumbers(exact), 0.05)
    const { ratio, variance } = poisson(exact)
    expect(Math.abs(Math.log(value) - ratio)).toBeLessThan(1e-10)
    expect((Math.log(high) - Math.log(low)) / (2 * 1.959964)).toBeCloseTo(Math.sqrt(variance), 6)
    // Cox's model, which orders the events instead of counting time, has 1.509 (0.410) by Breslow's rule.
    expect(Math.log(value)).toBeGreaterThan(1.4)
    expect(Math.log(value)).toBeLessThan(1.7)
  })

  test("turns over with the groups", () => {
    const one = hazardRatio(publicNumbers(exact), 0.05)
    const other = hazardRatio(publicNumbers([...histogram(placebo), ...histogram(mercaptopurine)]), 0.05)
    expect((one.value ?? 0) * (other.value ?? 0)).toBeCloseTo(1, 10)
    expect(one.low * other.high).toBeCloseTo(1, 10)
  })

  test("carries the noise of every number through to first order", () => {
    const [step, variance] = [1e-5, 1e-6]
    const noisy = (numbers: readonly number[]): NoisyNumbers =>
      independentNumbers(numbers.map((value) => ({ value, variance, law: "gaussian" })))
    const logOf = (numbers: readonly number[]): number =>
      Math.log(hazardRatio(noisy(numbers), 0.05).value ?? Number.NaN)
    const spread = exact.reduce((sum, value, place) => {
      const slope = (logOf(exact.with(place, value + step)) - logOf(exact)) / step
      return sum + slope * slope * variance
    }, 0)
    const widthOf = (numbers: NoisyNumbers): number => {
      const { low, high } = hazardRatio(numbers, 0.05)
      return (Math.log(high) - Math.log(low)) / (2 * 1.959964)
    }
    const added = widthOf(noisy(exact)) ** 2 - widthOf(publicNumbers(exact)) ** 2
    expect(added / spread).toBeCloseTo(1, 2)
  })

  test("is unknown where a group has no events, or none that stand out of the noise", () => {
    const none = [...counted([]), ...counted([3, 9]), ...histogram(placebo)]
    expect(hazardRatio(publicNumbers(none), 0.05)).toEqual({ value: undefined, low: 0, high: Infinity })
    const drowned = exact.map((value) => ({ value, variance: 100, law: "laplace" as const }))
    expect(hazardRatio(independentNumbers(drowned), 0.05).value).toBeUndefined()
  })

  /** Newton's method for ln rate = week + group, with a parameter for every week that has an event. */
  function poisson(numbers: readonly number[]): { readonly ratio: number; readonly variance: number } {
    const bins = weeks.length
    const rows = [0, 1].flatMap((group) =>
      weeks.map((bin) => {
        const own = numbers.slice(2 * bins * group, 2 * bins * (group + 1))
        const leave = weeks.map((week) => (own[week] ?? 0) + (own[bins + week] ?? 0))
        const time = leave.reduce(
          (sum, people, week) => sum + (week > bin ? people : week === bin ? people / 2 : 0),
          0,
        )
        return { group, bin, time, events: own[bin] ?? 0 }
      }),
    )
    const used = rows.filter(
      ({ bin, time }) => time > 0 && rows.some((row) => row.bin === bin && row.events > 0),
    )
    const places = [...new Set(used.map(({ bin }) => bin))]
    const size = places.length + 1
    let beta: number[] = Array.from({ length: size }, (_, place) => (place === 0 ? 0 : -3))
    let inverse: number[][] = []
    for (let round = 0; round < 60; round += 1) {
      const score = beta.map(() => 0)
      const information = beta.map(() => beta.map(() => 0))
      for (const { group, bin, time, events } of used) {
        const x = beta.map((_, place) => (place === 0 ? group : Number(places[place - 1] === bin)))
        const mean = time * Math.exp(x.reduce((sum, one, place) => sum + one * (beta[place] ?? 0), 0))
        x.forEach((one, row) => {
          score[row] = (score[row] ?? 0) + one * (events - mean)
          x.forEach((other, column) => {
            const line = information[row] ?? []
            line[column] = (line[column] ?? 0) + one * other * mean
          })
        })
      }
      inverse = inverted(information)
      beta = beta.map((one, row) => {
        const move = (inverse[row] ?? []).reduce((sum, part, column) => sum + part * (score[column] ?? 0), 0)
        return one + Math.max(-1, Math.min(1, move))
      })
    }
    return { ratio: beta[0] ?? Number.NaN, variance: inverse[0]?.[0] ?? Number.NaN }
  }

  function inverted(matrix: readonly (readonly number[])[]): number[][] {
    const rows = matrix.map((row, place) => [...row, ...matrix.map((_, column) => Number(column === place))])
    for (let column = 0; column < rows.length; column += 1) {
      const pivot = (rows[column] ?? []).map((value) => value / (rows[column]?.[column] ?? Number.NaN))
      for (const [place, row] of rows.entries()) {
        const factor = row[column] ?? 0
        rows[place] = place === column ? pivot : row.map((value, at) => value - factor * (pivot[at] ?? 0))
      }
    }
    return rows.map((row) => row.slice(rows.length))
  }
})

describe("the log-rank test", () => {
  test("is the classical one", () => {
    const numbers = publicNumbers([...histogram(mercaptopurine), ...histogram(placebo)])
    const test = logRankTest(numbers, 2)
    expect(test?.chiSquare.toFixed(6)).toBe("16.792941")
    expect(test?.freedom).toBe(1)
    expect(test?.pValue).toBeCloseTo(4.17e-5, 7)
  })

  test("does not depend on the order of the groups", () => {
    const [a, b, c] = [
      histogram(mercaptopurine),
      histogram(placebo),
      counted([3, 9, 9]).concat(counted([20])),
    ]
    const one = logRankTest(publicNumbers([...a, ...b, ...c]), 3)
    const other = logRankTest(publicNumbers([...c, ...a, ...b]), 3)
    expect(one?.freedom).toBe(2)
    expect(other?.chiSquare).toBeCloseTo(one?.chiSquare ?? 0, 9)
  })

  test("says less with noise, and nothing where all is noise", () => {
    const exact = [...histogram(mercaptopurine), ...histogram(placebo)]
    const withNoise = (variance: number): NoisyNumbers =>
      independentNumbers(exact.map((value) => ({ value, variance, law: "gaussian" })))
    // All bins are used; the variance grows by a little more than 0.003 in 6.26.
    const hardly = logRankTest(withNoise(1e-4), 2)
    expect(hardly?.chiSquare).toBeLessThan(16.79)
    expect(hardly?.chiSquare).toBeGreaterThan(16.76)
    const few = logRankTest(withNoise(0.01), 2)
    expect(few?.chiSquare).toBeLessThan(16.79)
    expect(few?.chiSquare).toBeGreaterThan(5)
    expect(logRankTest(withNoise(1e6), 2)).toBeUndefined()
    expect(logRankTest(publicNumbers(histogram(placebo)), 1)).toBeUndefined()
  })

  test("has the tails of chi-square", () => {
    // Quantiles at 5 %, to six digits, from tables.
    const quantiles = [3.841459, 5.991465, 7.814728, 9.487729, 11.070498, 12.591587]
    for (const [index, quantile] of quantiles.entries()) {
      expect(chiSquareTail(quantile, index + 1)).toBeCloseTo(0.05, 6)
    }
    expect(chiSquareTail(0, 3)).toBe(1)
    expect(chiSquareTail(1e4, 3)).toBe(0)
  })
})

describe("risks, rates and what compares them", () => {
  test("a risk has Wilson's interval", () => {
    // Newcombe 1998, two of his examples.
    expect(shown(sampledRatio(publicNumbers([81, 263]), "binomial", 0.05))).toEqual([
      "0.3080",
      "0.2553",
      "0.3662",
    ])
    expect(shown(sampledRatio(publicNumbers([0, 20]), "binomial", 0.05))).toEqual([
      "0.0000",
      "0.0000",
      "0.1611",
    ])
  })

  test("a difference of risks has Newcombe's", () => {
    // Newcombe 1998, method 10.
    const of = (...numbers: readonly number[]): readonly string[] =>
      shown(differenceOfRatios(publicNumbers(numbers), "binomial", 0.05))
    expect(of(56, 70, 48, 80)).toEqual(["0.2000", "0.0524", "0.3339"])
    expect(of(9, 10, 3, 10)).toEqual(["0.6000", "0.1705", "0.8090"])
    expect(of(5, 56, 0, 29)).toEqual(["0.0893", "-0.0381", "0.1926"])
  })

  test("a rate has the score interval of a Poisson count", () => {
    // (x + z^2 / 2 -+ z sqrt(x + z^2 / 4)) / time.
    expect(shown(sampledRatio(publicNumbers([10, 100]), "poisson", 0.05))).toEqual([
      "0.1000",
      "0.0543",
      "0.1841",
    ])
    expect(shown(sampledRatio(publicNumbers([0, 100]), "poisson", 0.05))).toEqual([
      "0.0000",
      "0.0000",
      "0.0384",
    ])
  })

  test("odds are those of the risk", () => {
    const odds = sampledRatio(publicNumbers([81, 182]), "odds", 0.05)
    const risk = sampledRatio(publicNumbers([81, 263]), "binomial", 0.05)
    expect(odds.low).toBeCloseTo(risk.low / (1 - risk.low), 8)
    expect(odds.high).toBeCloseTo(risk.high / (1 - risk.high), 8)
  })

  test("ratios: the first trial of BCG vaccine, and turned round", () => {
    const risk = ratioOfRatios(publicNumbers([4, 123, 11, 139]), "binomial", 0.05)
    expect(Math.log(risk.value ?? 0).toFixed(4)).toBe("-0.8893")
    expect(risk.low).toBeGreaterThan(0.12)
    expect(risk.high).toBeLessThan(1.3)
    const odds = ratioOfRatios(publicNumbers([4, 119, 11, 128]), "odds", 0.05)
    expect(Math.log(odds.value ?? 0).toFixed(4)).toBe("-0.9387")
    const turned = ratioOfRatios(publicNumbers([11, 128, 4, 119]), "odds", 0.05)
    expect(turned.low).toBeCloseTo(1 / odds.high, 6)
    expect(turned.high).toBeCloseTo(1 / odds.low, 6)
  })

  test("what may be divided by nothing has no upper end, and no value if it is", () => {
    const noisy = (...values: readonly number[]): NoisyNumbers =>
      independentNumbers(values.map((value) => ({ value, variance: 100, law: "laplace" })))
    expect(sampledRatio(noisy(5, 12), "poisson", 0.05)).toEqual({ value: 5 / 12, low: 0, high: Infinity })
    expect(sampledRatio(noisy(5, -3), "binomial", 0.05)).toEqual({ value: undefined, low: 0, high: 1 })
    expect(ratioOfRatios(noisy(50, 500, 3, 400), "binomial", 0.05).high).toBe(Infinity)
    expect(ratioOfRatios(noisy(50, 500, -3, 400), "binomial", 0.05).value).toBeUndefined()
    const unsure = differenceOfRatios(noisy(50, 500, 3, 4), "binomial", 0.05)
    expect(unsure.low).toBeGreaterThanOrEqual(-1)
    expect(unsure.high).toBeLessThan(0.3)
  })

  test("noise that two groups share makes their ratio surer", () => {
    const shared: NoisyNumbers = {
      values: [100, 1000, 120, 1000],
      varianceOf: ([a = 0, , c = 0]) => ({ normal: 400 * (a + c) ** 2, laplace: 0 }),
    }
    const apart = independentNumbers(
      [400, 0, 400, 0].map((variance, index) => ({
        value: shared.values[index] ?? 0,
        variance,
        law: "gaussian",
      })),
    )
    const [one, other] = [shared, apart].map((numbers) => ratioOfRatios(numbers, "binomial", 0.05))
    expect((one?.high ?? 0) - (one?.low ?? 0)).toBeLessThan(0.8 * ((other?.high ?? 0) - (other?.low ?? 0)))
  })
})

describe("a standardised rate", () => {
  test("of one stratum is its rate", () => {
    const alone = weightedRate({ numbers: publicNumbers([10, 100]), weights: [3] }, 0.05)
    expect(shown(alone)).toEqual(["0.1000", "0.0543", "0.1841"])
  })

  test("is the weighted mean of rates, and strata without weight do not count", () => {
    const numbers = publicNumbers([10, 30, 7, 1000, 1000, 0])
    const { value, low, high } = weightedRate({ numbers, weights: [1, 3, 0] }, 0.05)
    expect(value).toBeCloseTo(0.025, 12)
    // About 1.96 sqrt(sum of w^2 E / P^2) to each side.
    const width = 1.96 * Math.sqrt(0.0625 * 1e-5 + 0.5625 * 3e-5)
    expect((high - low) / 2).toBeGreaterThan(width)
    expect((high - low) / 2).toBeLessThan(1.05 * width)
  })

  test("has no value or no end where a stratum may be empty", () => {
    const of = (people: number): SampledEstimate =>
      weightedRate(
        {
          numbers: independentNumbers(
            [1, 2, people, 500].map((value) => ({ value, variance: 25, law: "gaussian" })),
          ),
          weights: [1, 1],
        },
        0.05,
      )
    expect(of(-2).value).toBeUndefined()
    expect(of(8)).toMatchObject({ low: 0, high: Infinity })
    expect(of(300).high).toBeLessThan(0.1)
  })
})
