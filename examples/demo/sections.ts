// The other parts of the demo: one mechanism each, a few lines each, and what it costs.

import type { RandomBits } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import {
  aboveThreshold,
  errorOf,
  estimateCounts,
  laplaceKeys,
  quantiles,
  randomizedResponse,
  releaseAboveThreshold,
  releaseKeys,
  releaseQuantiles,
  releaseRandomizedResponse,
  releaseRunningTotal,
  releaseTopK,
  runningTotal,
  topK,
} from "@dosimeter/core/mechanisms"
import { commonDiagnoses, countBy, days } from "./hospital.ts"
import { columns, percent, sparkline } from "./plot.ts"
import { showSpent, spentBy, type Patients, type Section } from "./section.ts"

/** The median age, by the exponential mechanism. */
export function medianAge(patients: Patients, rng: RandomBits): Section {
  const spec = quantiles({
    quantiles: ["0.5"],
    cells: 100,
    rowsPerUnit: 1,
    neighbours: "add-or-remove",
    epsilon: "0.2",
  })
  const [median] = releaseQuantiles(
    spec,
    countBy(patients, 100, ({ age }) => age),
    rng,
  )
  const truth = patients.map(({ age }) => age).toSorted((a, b) => a - b)[patients.length >> 1]
  const error = errorOf(spec, "0.95")
  assert(error.kind === "rank", "a quantile is off by ranks")
  return {
    title: "Median age, by the exponential mechanism",
    lines: [
      `Released: ${median}. Truth: ${truth}.`,
      `With 95 % confidence, at most ${error.units} of the 2,000 patients lie between the two.`,
      showSpent(spentBy(spec)),
    ],
    spent: spentBy(spec),
  }
}

/** The three most frequent of the diagnoses that are listed in public. */
export function topDiagnoses(patients: Patients, rng: RandomBits): Section {
  const candidates = commonDiagnoses.length
  const spec = topK({ k: 3, epsilon: "0.3", sensitivity: 1, scores: "monotone", candidates })
  const listed = patients.filter(({ diagnosis }) => commonDiagnoses.includes(diagnosis))
  const counts = countBy(listed, candidates, ({ diagnosis }) => commonDiagnoses.indexOf(diagnosis))
  const chosen = releaseTopK(spec, counts, rng).map((i) => commonDiagnoses[i] ?? "")
  const best = commonDiagnoses.toSorted((a, b) =>
    Number((counts[commonDiagnoses.indexOf(b)] ?? 0n) - (counts[commonDiagnoses.indexOf(a)] ?? 0n)),
  )
  const error = errorOf(spec, "0.95")
  assert(error.kind === "choice", "a choice falls short by a score")
  return {
    title: "The three most frequent diagnoses",
    lines: [
      `Released: ${chosen.join(", ")}. Truth: ${best.slice(0, 3).join(", ")}.`,
      `With 95 % confidence, each choice is at most ${error.shortfall} patients short of the best one left.`,
      `${showSpent(spentBy(spec))} Names only; how many patients each has would cost extra.`,
    ],
    spent: spentBy(spec),
  }
}

/** All diagnoses, where the list itself comes from the data and may give somebody away. */
export function diagnosisKeys(patients: Patients, rng: RandomBits): Section {
  const names = [...new Set(patients.map(({ diagnosis }) => diagnosis))]
  const counts = countBy(patients, names.length, ({ diagnosis }) => names.indexOf(diagnosis))
  const spec = laplaceKeys({ epsilon: "0.5", delta: "1e-6", groupsPerUnit: 1, neighbours: "add-or-remove" })
  const released = new Map(releaseKeys(spec, counts, rng).map(({ key, count }) => [key, count]))
  const error = errorOf(spec, "0.95")
  assert(error.kind === "keys", "keys are shown from a size on")
  const rows = names
    .map((name, i) => ({ name, truth: counts[i] ?? 0n, noisy: released.get(i) }))
    .toSorted((a, b) => Number(b.truth - a.truth))
    .map(({ name, truth, noisy }) => [name, `${truth}`, noisy === undefined ? "below threshold" : `${noisy}`])
  return {
    title: "Every diagnosis that may be shown",
    lines: [
      ...columns("<>>", [["diagnosis", "truth", "released"], ...rows]),
      `A diagnosis is shown if its noisy count reaches ${spec.threshold}, or sometimes ${spec.threshold - 1n}:` +
        ` all of delta is used. One of ${error.shownFrom} patients` +
        ` is, with 95 % confidence.`,
      `"Below threshold" is not zero: in real life not even the name would appear.`,
      showSpent(spentBy(spec)),
    ],
    spent: spentBy(spec),
  }
}

/** Which days were very busy: many questions, paid by the answers that are yes. */
export function busyDays(patients: Patients, rng: RandomBits): Section {
  const threshold = 110n
  const spec = aboveThreshold({
    epsilon: "0.5",
    answers: 2,
    questions: days,
    sensitivity: 1,
    queries: "monotone",
  })
  const counts = countBy(patients, days, ({ day }) => day)
  const run = releaseAboveThreshold(spec, threshold, rng)
  const found: number[] = []
  let asked = 0
  for (let day = 0; day < days && found.length < 2; day += 1) {
    asked += 1
    if (run.ask(counts[day] ?? 0n)) found.push(day + 1)
  }
  const truth = [...counts.keys()].filter((day) => (counts[day] ?? 0n) >= threshold).map((day) => day + 1)
  const error = errorOf(spec, "0.95")
  assert(error.kind === "choice", "an answer falls short by a count")
  return {
    title: `Days with ${threshold} admissions or more, by the sparse vector technique`,
    lines: [
      `Released after ${asked} questions: day ${found.join(" and ") || "none"}. Truth: day ${truth.join(" and ")}.`,
      `With 95 % confidence, all answers are right for days more than ${error.shortfall} off the threshold.`,
      `${showSpent(spentBy(spec))} The answers "no" cost nothing.`,
    ],
    spent: spentBy(spec),
  }
}

/** Admissions so far, day by day. */
export function admissionsSoFar(patients: Patients, rng: RandomBits): Section {
  const spec = runningTotal({
    horizon: days,
    stepsPerUnit: 1,
    amountPerStep: 1,
    neighbours: "add-or-remove",
    epsilon: "0.5",
  })
  const run = releaseRunningTotal(spec, rng)
  const exact = countBy(patients, days, ({ day }) => day)
  const noisy = exact.map((count) => run.next(count))
  let total = 0n
  const totals = exact.map((count) => (total += count))
  const error = errorOf(spec, "0.95")
  assert(error.kind === "total", "a running total has an error at every step")
  const errors = totals.map((truth, day) => Number((noisy[day] ?? 0n) - truth))
  return {
    title: `Running total of admissions over ${days} days`,
    lines: [
      `Truth     ${sparkline(totals.map(Number))}  ${totals.at(-1)} at the end`,
      `Released  ${sparkline(noisy.map(Number))}  ${noisy.at(-1)} at the end, 95 % interval ± ${error.halfWidth}`,
      `Error     ${sparkline(errors)}  from ${Math.min(...errors)} to ${Math.max(...errors)}`,
      `Every day is measured once, and all totals are read from that.`,
      `${showSpent(spentBy(spec))} For all ${days} days together.`,
    ],
    spent: spentBy(spec),
  }
}

/** Who smokes? Each patient's own device answers, with a coin that sometimes lies. */
export function smokingSurvey(patients: Patients, rng: RandomBits): Section {
  const spec = randomizedResponse({ epsilon: "1", categories: 2 })
  const answers = patients.map(({ smokes }) => releaseRandomizedResponse(spec, smokes ? 1 : 0, rng))
  const reports = countBy(answers, 2, (answer) => answer)
  const smokers = patients.filter(({ smokes }) => smokes).length
  const people = patients.length
  const estimate = (estimateCounts(spec, reports)[1] ?? 0) / people
  const error = errorOf(spec, "0.95")
  assert(error.kind === "report", "a report may be wrong")
  // A report is a coin of variance wrong (1 - wrong); the estimate stretches it by 1 / (1 - 2 wrong).
  const deviation = Math.sqrt((error.wrong * (1 - error.wrong)) / people) / (1 - 2 * error.wrong)
  return {
    title: "A survey without a trusted server, by randomized response",
    lines: [
      `"Do you smoke?" ${percent(error.wrong)} of the answers are lies, by coin: nobody's own answer is known.`,
      `Yes among the reports: ${percent(Number(reports[1] ?? 0n) / people)}.` +
        ` Estimate: ${percent(estimate)} ± ${percent(1.96 * deviation)} (95 %). Truth: ${percent(smokers / people)}.`,
      showSpent(spentBy(spec)),
    ],
    spent: spentBy(spec),
  }
}
