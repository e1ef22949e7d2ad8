// Two made-up hospitals publish tables that are k-anonymous: every combination of age and postcode that can
// be seen is shared by at least k rows. What can be told about somebody who is in both?

/** What a row says about a person. */
export type Diagnosis = "hepatitis" | "asthma" | "fracture" | "migraine" | "gout" | "angina" | "eczema"

/** A row before it is made coarser. */
export interface LabRow {
  readonly age: number
  readonly postcode: string
  readonly diagnosis: Diagnosis
}

/** A row as it is published. */
export interface CoarseRow {
  readonly ages: string
  readonly postcode: string
  readonly diagnosis: Diagnosis
}

/** A published table. */
export interface CoarseTable {
  readonly rows: readonly CoarseRow[]
  /** The rows that the person in question could be. */
  readonly own: readonly CoarseRow[]
}

/** The person in question: the attacker knows age and postcode, and that both hospitals treated them. */
export const labPerson = { age: 47, postcode: "13053", diagnosis: "hepatitis" } as const satisfies LabRow

const person = labPerson

/** The two hospitals' rows, the person's own included. */
export const labHospitals: readonly (readonly LabRow[])[] = [
  [
    person,
    { age: 45, postcode: "13053", diagnosis: "asthma" },
    { age: 46, postcode: "13055", diagnosis: "fracture" },
    { age: 49, postcode: "13058", diagnosis: "asthma" },
    { age: 41, postcode: "13057", diagnosis: "migraine" },
    { age: 43, postcode: "13051", diagnosis: "fracture" },
    { age: 22, postcode: "14850", diagnosis: "gout" },
    { age: 23, postcode: "14853", diagnosis: "gout" },
    { age: 27, postcode: "14851", diagnosis: "gout" },
    { age: 29, postcode: "14852", diagnosis: "gout" },
    { age: 24, postcode: "14858", diagnosis: "gout" },
    { age: 28, postcode: "14859", diagnosis: "gout" },
  ],
  [
    person,
    { age: 48, postcode: "13053", diagnosis: "gout" },
    { age: 45, postcode: "13052", diagnosis: "angina" },
    { age: 46, postcode: "13056", diagnosis: "eczema" },
    { age: 40, postcode: "13050", diagnosis: "angina" },
    { age: 42, postcode: "13059", diagnosis: "gout" },
    { age: 31, postcode: "14853", diagnosis: "angina" },
    { age: 33, postcode: "14850", diagnosis: "eczema" },
    { age: 36, postcode: "14856", diagnosis: "gout" },
    { age: 38, postcode: "14853", diagnosis: "eczema" },
    { age: 35, postcode: "14851", diagnosis: "angina" },
    { age: 34, postcode: "14857", diagnosis: "gout" },
  ],
]

/** Every table as coarse as k demands and no coarser, and the diagnoses that are in all of them. */
export function publish(k: number): {
  readonly tables: readonly CoarseTable[]
  readonly common: readonly Diagnosis[]
} {
  const tables = labHospitals.map((rows) => coarsen(rows, k))
  const [first = [], ...others] = tables.map(({ own }) => own.map(({ diagnosis }) => diagnosis))
  const common = [...new Set(first)].filter((one) => others.every((list) => list.includes(one)))
  return { tables, common }
}

/** How many rows share each visible combination, the fewest first. */
export function classSizes(rows: readonly CoarseRow[]): readonly number[] {
  const sizes = new Map<string, number>()
  for (const row of rows) sizes.set(classOf(row), (sizes.get(classOf(row)) ?? 0) + 1)
  return [...sizes.values()].toSorted((a, b) => a - b)
}

/** From fine to coarse: years in a band, digits of the postcode that stay. */
const steps: readonly (readonly [number, number])[] = [
  [1, 5],
  [5, 5],
  [5, 4],
  [10, 4],
  [10, 3],
  [20, 3],
  [20, 2],
  [50, 1],
  [100, 0],
]

function coarsen(rows: readonly LabRow[], k: number): CoarseTable {
  const made = steps.map(([years, digits]) => rows.map((row) => coarse(row, years, digits)))
  const table = made.find((each) => (classSizes(each)[0] ?? 0) >= k) ?? []
  const place = rows.indexOf(person)
  const mine = table[place]
  return { rows: table, own: table.filter((row) => mine !== undefined && classOf(row) === classOf(mine)) }
}

function coarse({ age, postcode, diagnosis }: LabRow, years: number, digits: number): CoarseRow {
  const from = Math.floor(age / years) * years
  const ages = years === 1 ? `${age}` : `${from}–${from + years - 1}`
  return { ages, postcode: postcode.slice(0, digits).padEnd(5, "*"), diagnosis }
}

function classOf({ ages, postcode }: CoarseRow): string {
  return `${ages} ${postcode}`
}
