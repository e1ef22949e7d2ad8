import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { smallHospital, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
afterAll(() => hospital.remove())

const asked = [
  "--model",
  "logistic",
  "--target",
  "older",
  "--features",
  "SELECT gender_concept_id, year_of_birth, year_of_birth < 1960 AS older FROM person",
  "--epsilon",
  "1",
]

const change = (name: string, value: string): readonly string[] =>
  asked.map((word, place) => (asked[place - 1] === name ? value : word))

test("[B6] a model is priced for nothing, paid for once, written, and predicts for nothing", async () => {
  const priced = await hospital.run("train", ...asked, "--explain")
  expect(priced.code, priced.error).toBe(0)
  expect(priced.out).toMatch(/^model {7}logistic, of older\ncolumns {5}gender_concept_id, year_of_birth: \d/)
  expect(priced.out).toMatch(/rounds {6}200\ncost {8}.*epsilon 1[^]*with 1,000 rows ± [\d.]+ by noise/)
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
  expect((await hospital.run("train", ...asked, "--out", "model.json")).error).toContain("cli/not-confirmed")
  const trained = await hospital.run("train", ...asked, "--out", "model.json", "--yes")
  expect(trained.code, trained.error).toBe(0)
  expect(trained.out).toMatch(/^wrote {7}.*model.json\nmodel {7}logistic, of older, from about \d+ rows\n/)
  expect(trained.out).toMatch(
    /dose {8}epsilon 1, delta \S+ for each person\nquality {5}(area under the curve [01]\.|not told: )/,
  )
  expect(trained.out).toMatch(/year_of_birth \*? +-?[\d.]+ +-?[\d.]+ to -?[\d.]+ /)
  expect((await hospital.run("receipts")).out.trim().split("\n")).toHaveLength(2)
  expect((await hospital.run("train", ...asked, "--out", "model.json")).error).toContain("cli/file-exists")
  const again = await hospital.run("train", ...asked, "--json")
  const written: unknown = JSON.parse(readFileSync(join(hospital.folder, "model.json"), "utf8"))
  expect(JSON.parse(again.out)).toMatchObject({ origin: "recorded", model: written })
  expect((await hospital.run("receipts")).out.trim().split("\n")).toHaveLength(2)
  writeFileSync(
    join(hospital.folder, "new.csv"),
    'who,year_of_birth,gender_concept_id\n"a, b",1930,8507\nc,1999,8532\nd,,\n',
  )
  const predicted = await hospital.run("predict", "--model", "model.json", "new.csv")
  expect([predicted.error, predicted.code]).toEqual(["", 0])
  const lines = predicted.out.trim().split("\n")
  expect(lines[0]).toBe(
    "who,year_of_birth,gender_concept_id,predicted older,probability of false,probability of true",
  )
  expect(lines[1]).toMatch(/^"a, b",1930,8507,(true|false),[\de.-]+,[\de.-]+$/)
  expect(lines[2]).toMatch(/^c,1999,8532,(true|false),[\de.-]+,[\de.-]+$/)
  const json = await hospital.run("predict", "--model", "model.json", "new.csv", "--json")
  expect(JSON.parse(json.out)).toMatchObject({ rows: 3, predictions: [{}, {}, { probabilities: {} }] })
  const file = await hospital.run("predict", "--model", "model.json", "new.csv", "--out", "told.csv")
  expect(file.out).toMatch(/^wrote {7}3 rows: .*told.csv\n$/)
  expect(readFileSync(join(hospital.folder, "told.csv"), "utf8")).toBe(predicted.out)
})

test("curves and tables say what their parts are worth", async () => {
  const curves = await hospital.run("train", ...change("--model", "boosting"), "--explain")
  expect(curves.out).toMatch(
    /noise {7}of each part of a curve, in log-odds:\n.*area under the curve (± 0|not told)/,
  )
  const counted = await hospital.run("train", ...change("--model", "bayes"), "--yes")
  expect(counted.out).toMatch(/model {7}bayes, of older[^]*gender_concept_id: 8507 +-?[\d.]+ +-?[\d.]+ to/)
  expect(counted.out).toMatch(/Effects on the log-odds; intervals at 95 % cover chance and noise/)
})

const rows = ["--features", "SELECT gender_concept_id, year_of_birth FROM person", "--epsilon", "1"]

test("groups and components need no target, and place rows for nothing", async () => {
  const priced = await hospital.run("train", "--model", "k-means", "--count", "2", ...rows, "--explain")
  expect(priced.out).toMatch(/^model {7}k-means\ncolumns .*\ncount {7}2 groups\nrounds {6}6\ncost /)
  expect(priced.out).toMatch(
    /of each number of a centre, as a share of a feature's range:\n.*share of the variance/,
  )
  const groups = await hospital.run("train", "--model", "k-means", ...rows, "--out", "groups.json", "--yes")
  expect([groups.error, groups.code]).toEqual(["", 0])
  expect(groups.out).toMatch(/model {7}k-means, from about \d+ rows\ndose .*\nquality {5}(holds |not told: )/)
  expect(groups.out).toMatch(/\(people\) +\d/)
  expect(groups.out).toMatch(/In the units of the columns/)
  const components = await hospital.run(
    "train",
    "--model",
    "components",
    ...rows,
    "--out",
    "pca.json",
    "--yes",
  )
  expect([components.error, components.code]).toEqual(["", 0])
  expect(components.out).toMatch(/component 1: \(share of the variance\) +[\d.]+ +[\d.]+ to/)
  expect(components.out).toMatch(/Numbers from -1 to 1 in their ranges/)
  writeFileSync(join(hospital.folder, "lie.csv"), "who,year_of_birth,gender_concept_id\na,1930,8507\nb,,\n")
  const near = await hospital.run("predict", "--model", "groups.json", "lie.csv")
  expect(near.out).toMatch(
    /^who,year_of_birth,gender_concept_id,group\na,1930,8507,group \d\nb,,,group \d\n$/,
  )
  const placed = await hospital.run("predict", "--model", "pca.json", "lie.csv")
  expect(placed.out).toMatch(
    /^who,year_of_birth,gender_concept_id,component 1,component 2\na,1930,8507,-?[\de.-]+,-?[\de.-]+\nb,/,
  )
})

test("a training that cannot be is refused, and nothing is charged", async () => {
  for (const [wrong, code] of [
    [change("--model", "forest"), "training/unknown-model"],
    [change("--target", "nothing"), "training/no-target"],
    [[...asked, "--rounds", "many"], "training/rounds"],
    [[...asked, "--count", "2"], "training/no-count"],
    [["--model", "logistic", ...rows], "training/needs-target"],
    [change("--model", "k-means"), "training/without-target"],
    [["--model", "k-means", "--count", "two", ...rows], "model/bad-setting"],
    [["--model", "components", ...rows, "--onnx", "x.onnx"], "cli/usage"],
    [change("--features", "SELECT visit_start_date, TRUE AS older FROM visit_occurrence"), "training/"],
    [change("--features", "SELECT * FROM nowhere"), "sql/"],
    [[...change("--model", "boosting"), "--onnx", "x.onnx"], "cli/usage"],
  ] as const) {
    expect((await hospital.run("train", ...wrong, "--yes")).error).toContain(code)
  }
  const served = await hospital.run("train", ...change("--model", "forest"))
  expect(served.error).toContain(
    "linear, logistic, multinomial, poisson, boosting, bayes, components, k-means",
  )
})

test("the columns of a model that somebody gives do not write to the terminal themselves", async () => {
  await hospital.run("train", "--model", "k-means", ...rows, "--out", "given.json", "--yes")
  const text = readFileSync(join(hospital.folder, "given.json"), "utf8")
  const renamed = text.replaceAll('"gender_concept_id"', String.raw`"x\u001b[2J"`)
  writeFileSync(join(hospital.folder, "given.json"), renamed)
  for (const line of ["year_of_birth,b", "a,b"]) {
    writeFileSync(join(hospital.folder, "given.csv"), `${line}\n1930,2\n`)
    const { error } = await hospital.run("predict", "--model", "given.json", "given.csv")
    expect(error).toContain("x\ufffd[2J")
    expect(error).not.toContain("\u001b[2J")
  }
})

test("predictions are refused where the files are none", async () => {
  writeFileSync(join(hospital.folder, "no.json"), "{}")
  writeFileSync(join(hospital.folder, "rows.csv"), "a,b\n1,2\n")
  writeFileSync(join(hospital.folder, "odd.csv"), "year_of_birth,b\n1\n")
  writeFileSync(join(hospital.folder, "open.csv"), 'a,b\n"1,2\n')
  expect((await hospital.run("predict", "--model", "no.json", "rows.csv")).error).toContain(
    "training/no-model",
  )
  await hospital.run("train", ...asked, "--out", "again.json", "--yes")
  for (const rows of ["rows.csv", "odd.csv", "open.csv"]) {
    expect((await hospital.run("predict", "--model", "again.json", rows)).error).toContain("cli/usage")
  }
})
