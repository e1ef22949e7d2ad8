// `npm run demo -- --core`: the mechanisms of Dosimeter's core, one by one, on 2,000 made-up patients.

import { describeLoss, lossIn, numberUp, rational, systemBits, type Rational } from "@dosimeter/core"
import { noiseHistograms, wardCounts, wardSpec } from "./counts.ts"
import { countyTable, hundredQuestions } from "./county.ts"
import { admitPatients } from "./hospital.ts"
import { columns, heading, roundedUp, wrap } from "./plot.ts"
import {
  admissionsSoFar,
  busyDays,
  diagnosisKeys,
  medianAge,
  smokingSurvey,
  topDiagnoses,
} from "./sections.ts"
import { plus, type Section } from "./section.ts"

const introduction = `Dosimeter answers questions about a group while keeping each person in it out of
  sight: every answer carries noise of a known size, and costs each person a known dose. Below, a made-up
  hospital with 2,000 patients is asked seven questions. The data is made up, so we may show the truth beside
  each answer; in real life the truth is never shown. The noise is real: every run gives other answers.`

/** Shows the core. */
export function showCore(): void {
  const rng = systemBits()
  const patients = admitPatients(2000)
  print(wrap(introduction))
  const counts = wardCounts(patients, rng)
  printSection(counts)
  print([heading("The noise itself: 100,000 draws against the exact law"), ...noiseHistograms(rng)])
  const others = [medianAge, topDiagnoses, diagnosisKeys, busyDays, admissionsSoFar, smokingSurvey].map(
    (ask) => ask(patients, rng),
  )
  others.forEach(printSection)
  print([heading("What all this has cost each patient"), ...bill([counts, ...others])])
  print([heading("A table that adds up again"), ...countyTable(rng)])
  print([heading("What a hundred questions cost, by accountant"), ...hundredQuestions()])
  const [odds = "", guesses = ""] = describeLoss(lossIn(wardSpec, "pure"))
  print([heading("What the epsilon of 0.5 for the wards means"), ...wrap(`${odds} ${guesses}`)])
}

function bill(sections: readonly Section[]): readonly string[] {
  const epsilon = sections.map(({ spent }) => spent.epsilon).reduce(plus, rational(0n))
  const delta = sections.map(({ spent }) => spent.delta).reduce(plus, rational(0n))
  const show = (value: Rational): string => roundedUp(numberUp(value))
  const rows = sections.map(({ title, spent }) => [title, show(spent.epsilon), show(spent.delta)])
  return [
    ...columns("<>>", [
      ["", "epsilon", "delta"],
      ...rows,
      ["Sum (basic composition)", show(epsilon), show(delta)],
    ]),
    "Adding up epsilons is the simplest rule that is right, and for a few answers a good one.",
  ]
}

function printSection({ title, lines }: Section): void {
  print([heading(title), ...lines])
}

function print(lines: readonly string[]): void {
  console.log(`${lines.join("\n")}\n`)
}
