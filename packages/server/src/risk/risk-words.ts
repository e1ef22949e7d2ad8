// What a report says in sentences: the same in the terminal and on the page.

import type {
  AttackResult,
  Attacks,
  CrowdCurve,
  Homogeneity,
  RiskReport,
  TableAttack,
} from "@dosimeter/engine/risk"

/** A share of a whole. What is not nothing never reads as nothing, and what is not all never as all. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`
  if (share < 0.001) return "below 0.1 %"
  if (share > 0.999) return "above 99.9 %"
  return `${(100 * share).toFixed(1)} %`
}

/** A whole number with its thousands apart. */
export function whole(value: number): string {
  return `${value}`.replaceAll(/\B(?=(\d{3})+$)/g, ",")
}

/** So many of the people, as a number and a share. */
export function ofPeople(count: number, { rows }: Pick<RiskReport, "rows">): string {
  return `${whole(count)} of ${whole(rows)} people (${percent(rows === 0 ? 0 : count / rows)})`
}

/** Names as in a sentence: "age, sex and zip". */
export function named(names: readonly string[]): string {
  const [last = ""] = names.slice(-1)
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`
}

/** The findings, the most telling first, one sentence each. */
export function findings(report: RiskReport): readonly string[] {
  const { quasi, crowds, homogeneity, linkage } = report
  const alone = crowds.sizes.find(({ from }) => from === 1)?.people ?? 0
  const small = crowds.sizes.filter(({ from }) => from < 11).reduce((sum, { people }) => sum + people, 0)
  return [
    ...personFinding(report),
    `${ofPeople(alone, report)} ${isOrAre(alone)} the only one with their ${named(quasi)}.`,
    `${ofPeople(small, report)} ${small === 1 ? "shares" : "share"} them with fewer than ten others; the smallest crowd is ${whole(crowds.k)}.`,
    ...homogeneity.map(
      ({ column, certain, certainAlone }) =>
        `For ${ofPeople(certain, report)}, whoever knows these columns knows ${column} with certainty: ` +
        `${whole(certainAlone)} ${isOrAre(certainAlone)} alone, and ${whole(certain - certainAlone)} ` +
        `${isOrAre(certain - certainAlone)} in a crowd in which all have the same.`,
    ),
    ...(linkage === undefined
      ? []
      : [
          `Of the ${whole(linkage.records)} records of ${linkage.file}, ${whole(linkage.pairs)} ${linkage.pairs === 1 ? "matches" : "match"} one person alone who matches no other record.`,
        ]),
    ...curveFinding(report),
  ]
}

function isOrAre(count: number): string {
  return count === 1 ? "is" : "are"
}

/** Rows that are no people make crowds look larger than they are. */
function personFinding({ personSuggested, rows }: RiskReport): readonly string[] {
  if (personSuggested === undefined) return []
  const { column, people, isEstimate } = personSuggested
  return [
    `Each row is counted as one person, but ${column} has ${isEstimate ? "about " : ""}${whole(people)} different values in ${whole(rows)} rows. If it says whose ` +
      `a row is, make the report again and name it as the person's column (--person ${column}).`,
  ]
}

/** What the figures about how many columns it takes were counted in. */
export function curveCover(curve: CrowdCurve, person: RiskReport["person"]): string {
  const { rows, looked, isSample, columnsLeftOut } = curve
  const counted = isSample
    ? `Counted in a sample of ${whole(rows)} rows, in which more are alone than in the whole.`
    : `Counted in all ${whole(rows)} rows.`
  return [
    counted,
    ...(looked === rows ? [] : [`It was asked of ${whole(looked)} of them, drawn at random.`]),
    ...(columnsLeftOut === 0 ? [] : [`${whole(columnsLeftOut)} more columns were not tried.`]),
    ...(person === undefined ? [] : ["Here rows are counted, of which one person may have several."]),
  ].join(" ")
}

/** Where nobody has a crowd: from how many columns on, whichever they are. */
function curveFinding({ curve, person }: RiskReport): readonly string[] {
  const point = curve?.points.find(({ mean }) => mean >= 0.9)
  // Who is alone in a sample may have a crowd in the table.
  if (curve === undefined || curve.isSample || point === undefined) return []
  const { known } = point
  return [
    `On average over the choices that were tried, ${known === 1 ? "any one column singles" : `any ${known} columns single`} out ${percent(point.mean)} of the ${person === undefined ? "people" : "rows"}: ` +
      `from whoever knows that many, hardly anybody has a crowd to hide in. So it is with genomes, of which a few ` +
      `dozen markers are enough: rows like these are not made safe by leaving out names. ${curveCover(curve, person)}`,
  ]
}

/** How an attack is called. */
export function attackName({ kind }: Pick<AttackResult, "kind">): string {
  const names = {
    hidden: "counts of 1 to 10 are hidden",
    rounded: "counts to 7 are hidden, others rounded to 5",
    differenced: "Dosimeter",
  } as const
  return names[kind]
}

/** What the attacks were about. */
export function attackQuestion({ fact, rows, isSample }: Attacks): string {
  const drawn = isSample
    ? ` They were drawn from the table, up to 2,000 of them from those who are alone: what is said of them is not a share of the table.`
    : ""
  return `Does this person have ${fact.column} = ${fact.value}? Asked about people who are alone in their classes, as many with it as without, among ${whole(rows)} people. Guessing is right half of the time.${drawn}`
}

/** What an attack on published tables found. */
export function tableAttackWords(attack: TableAttack, { k, ceiling, epsilon, isSample }: Attacks): string {
  const { kind, people, certain, together, withheld, dosimeter } = attack
  const about = (count: number): string =>
    `${whole(count)} of ${whole(people)} people${isSample ? " who were drawn" : ""}`
  const published = `(${whole(withheld)} left out of them)`
  const found =
    kind === "homogeneous"
      ? `A table in which everybody has a crowd of ${k} ${published} makes the value certain for ${about(together)}.`
      : `Two such tables, coarsened in opposite ways ${published}, make it certain for ${certain.map(whole).join(" and ")} people by themselves, and together for ${about(together)}.`
  return `${found} The same counts by Dosimeter at epsilon ${epsilon}, read by somebody who knows everybody else: right ${percent(dosimeter.right)} of the time in ${whole(dosimeter.targets)} guesses; no attacker can reach more than ${percent(ceiling)} on average.`
}

/** Recursive (c, l)-diversity for one l, in a cell of a table. */
export function recursiveWords(
  { c, without }: Homogeneity["recursive"][number],
  { rows }: Pick<RiskReport, "rows">,
): string {
  if (c === undefined) return "for no c"
  return `c above ${shortUp(c)}${without === 0 ? "" : `, but for ${percent(without / rows)}`}`
}

/** Three digits, rounded up: a c that is not below what the crowds need. */
export function shortUp(value: number): string {
  const unit = 10 ** Math.max(-2, Math.floor(Math.log10(value)) - 2)
  return `${Number((Math.ceil(value / unit - 1e-9) * unit).toFixed(2))}`
}
