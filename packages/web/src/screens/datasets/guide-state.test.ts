import { expect, test } from "vitest"
import { draftPolicy, emptyGuide, isLoss, datasetName, waysOf, type GuideState } from "./guide-state.ts"
import { tableOfFile, type FileTable } from "./table-of-file.ts"

function fileOf(file: string, text: string): FileTable {
  const read = tableOfFile(file, text, true)
  if (typeof read === "string") throw new Error("the file can be read")
  return read
}

const visits = fileOf("visits.csv", "patient_id,ward,fee\n1,A,12.5\n2,B,80\n")
const patients = fileOf("patients.csv", "patient_id,born\n1,1950-01-01\n2,1960-01-01\n")
const guide = (changes: Partial<GuideState>): GuideState => ({ ...emptyGuide, files: [visits], ...changes })

test("a dataset is called after its first file, with a name that a policy can hold", () => {
  expect(datasetName([visits])).toBe("visits")
  expect(datasetName([])).toBe("dataset")
  expect(datasetName([fileOf("2024 visits.csv", "a\n1\n")])).toBe("dataset")
  expect(draftPolicy(guide({})).text).toContain("dataset: visits\n")
  expect(draftPolicy(guide({ dataset: "clinic" })).text).toContain("dataset: clinic\n")
})

test("rows belong to somebody by an own column, or by one that another file has too", () => {
  expect(waysOf(visits.table, [visits, patients])).toEqual([
    "patient_id",
    "ward",
    "patient_id -> patients.patient_id",
  ])
  expect(waysOf(visits.table, [visits])).toEqual(["patient_id", "ward"])
})

test("decisions of the owner become the policy, and what is wrong with them is told with its line", () => {
  const columns = new Map([["visits", new Map([["fee", { min: "0", max: "100" }]])]])
  const units = new Map([["visits", "patient_id"]])
  const good = draftPolicy(guide({ units, columns }))
  expect(good.problems).toEqual([])
  expect(good.open).toEqual(["visits"])
  expect(good.text).toMatch(/fee: \{ type: float, min: 0, max: 100/)
  const swapped = new Map([["visits", new Map([["fee", { min: "100", max: "0" }]])]])
  const bad = draftPolicy(guide({ units, columns: swapped }))
  expect(bad.open).toEqual([])
  expect(bad.problems.length).toBeGreaterThan(0)
  for (const { line } of bad.problems) expect(bad.text.split("\n")[line - 1]).toContain("fee")
})

test("a column that is closed stays closed, and a list has its values without empty ones", () => {
  const columns = new Map([
    [
      "visits",
      new Map([
        ["ward", { values: "A, B,\n，C" }],
        ["fee", { isOpen: false, min: "0", max: "9" }],
      ]),
    ],
  ])
  const { text, problems } = draftPolicy(guide({ columns, units: new Map([["visits", "patient_id"]]) }))
  expect(problems).toEqual([])
  expect(text).toMatch(/ward: .*values: \["?A"?, "?B"?, "?C"?\]/)
  expect(text).toMatch(/fee: deny/)
})

test.each([
  ["1", "1e-9", true],
  [".5", "0.001", true],
  ["0", "1e-9", false],
  ["1", "0", false],
  ["1.", "1e-9", false],
  ["", "1e-9", false],
  ["1e9", "1e-9", false],
  ["1", "0.1", false],
  ["1", "1e-", false],
])("epsilon %s with delta %s can be shown as odds: %s", (epsilon, delta, isShown) => {
  expect(isLoss({ ...emptyGuide.budget, epsilon, delta })).toBe(isShown)
})
