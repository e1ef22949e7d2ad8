import { isLongForm } from "@dosimeter/core/testing"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"
import {
  smallHospital,
  type AccountsJson,
  type AskedJson,
  type ExplainedJson,
  type SmallHospital,
} from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
beforeEach(() => hospital.rewrite((policy) => policy))
afterAll(() => hospital.remove())

const count = "SELECT COUNT(*) AS patients FROM person"
const byYear =
  "SELECT EXTRACT(YEAR FROM visit_start_date) AS year, COUNT(*) AS visits FROM visit_occurrence GROUP BY 1 ORDER BY 1"

/** Notes in one line. */
const unwrapped = (text: string): string => text.replaceAll(/\n {8}/g, " ")

describe("a table", () => {
  test("has a name, the value with its interval, the cost and the budget", async () => {
    const { code, out, error } = await hospital.run("ask", count)
    expect(error).toBe("")
    expect(code).toBe(0)
    expect(out).toMatch(
      new RegExp(
        [
          /^patients\n-+\n +\d+ ± 20\n\(1 row; intervals at 95 %\)\n\n/.source,
          /cost {4}epsilon 0\.5, delta 1e-8\n/.source,
          /budget {2}\[#\.{19}\] {2}3 % used, epsilon 0\.\d+ of 3; 32 more like it fit\n$/.source,
        ].join(""),
      ),
    )
  })

  test("aligns: every line of the body is as wide as its head allows, and small counts are said in words", async () => {
    const { out } = await hospital.run("ask", byYear)
    const [head = "", dashes = "", ...body] = out.split("\n(7 rows")[0]?.split("\n") ?? []
    expect(head).toMatch(/^ +year {2}visits/)
    expect(body).toHaveLength(7)
    for (const line of body) expect(line.length).toBeLessThanOrEqual(dashes.length)
    expect(body.at(-1)).toMatch(/^\(null\) {2}(below threshold| *\d+ (± \d+|\[\d+, (\d+|\?)\]))$/)
  })

  test("says what of a person is in the numbers, where something may be dropped", async () => {
    const { out } = await hospital.run("ask", byYear, "--norm", "fixed")
    expect(unwrapped(out)).toContain(
      "\nnote    intervals are of the noise only: more than 4 rows in each of 4 groups of a person counts for less, which is not in them\n",
    )
    expect((await hospital.run("ask", count)).out).not.toMatch(/bounds|note/)
    const deaths = await hospital.run("ask", "SELECT COUNT(*) AS n FROM death", "--norm", "fixed")
    expect(unwrapped(deaths.out)).toContain(
      "\nnote    intervals are of the noise only: all beyond 4 rows a person is dropped, which is not in them\n",
    )
  })

  test("says what a ladder cost in which too little was seen", async () => {
    const { out } = await hospital.run("ask", byYear, "--epsilon", "0.001")
    expect(out).toMatch(
      /\ncost {4}epsilon \S+, delta 1e-8\n {8}a ladder of norms, too noisy to choose one: epsilon 0\.000/,
    )
  })

  test("writes intervals as two ends if asked", async () => {
    expect((await hospital.run("ask", count, "--intervals")).out).toMatch(/\d+ \[\d+, \d+\]/)
  })

  test("is answered from the record the second time, free, and the same", async () => {
    const first = await hospital.run("ask", count)
    const again = await hospital.run("ask", "select count(*)  as patients\nfrom person -- again")
    expect(again.out).toContain("cost    recorded answer, free")
    expect(again.out.split("cost")[0]).toBe(first.out.split("cost")[0])
    expect(again.out.split("budget")[1]).toBe(first.out.split("budget")[1])
  })

  test("never shows a rare disease, an id or an outlier", async () => {
    const { out } = await hospital.run(
      "ask",
      `SELECT c.concept_name, COUNT(DISTINCT o.person_id) AS n, MAX(CLAMP(o.person_id, 0, 1)) AS m
       FROM condition_occurrence o JOIN concept c ON c.concept_id = o.condition_concept_id GROUP BY 1`,
    )
    expect(out).not.toContain("CANARY")
    const outlier =
      "SELECT AVG(CLAMP(value_as_number, 4, 14)) AS a, MEDIAN(CLAMP(value_as_number, 4, 14)) AS m"
    const asked = await hospital.run(
      "ask",
      `${outlier} FROM measurement WHERE measurement_concept_id = 3004410`,
    )
    expect(asked.code, asked.error).toBe(0)
  })
})

describe("--json", () => {
  test("prints one object, with rows by name, a receipt and the budget", async () => {
    const { code, out } = await hospital.run("ask", byYear, "--rows-per-group", "1", "--json")
    expect(code).toBe(0)
    const value: AskedJson = JSON.parse(out)
    expect(Object.keys(value)).toEqual([
      "columns",
      "rows",
      "notes",
      "noteFacts",
      "origin",
      "receipt",
      "budget",
    ])
    expect(value.columns).toEqual([
      { name: "year", type: "integer", kind: "key" },
      {
        name: "visits",
        type: "integer",
        kind: "noisy",
        mechanism: "gaussian",
        scale: expect.any(Number),
        grid: 1,
        sensitivity: 2,
        bounding: "noise-only",
      },
    ])
    expect(value.rows).toHaveLength(7)
    const [first] = value.rows
    expect(first?.["year"]).toEqual({ value: 2019, state: "released" })
    expect(first?.["visits"]).toMatchObject({ state: "released" })
    const { value: visits = 0, low = 0, high = 0 } = first?.["visits"] ?? {}
    expect([low < visits, visits < high]).toEqual([true, true])
    expect(value.receipt).toMatchObject({
      id: expect.any(String),
      planHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      unit: "person",
      neighbours: "add-or-remove",
      loss: { accounting: "zcdp" },
      epsilon: expect.any(String),
      delta: expect.any(String),
      bounding: [expect.anything()],
    })
    expect(value.budget).toMatchObject({ accounting: "zcdp", epsilon: 3, delta: 1e-7 })
    const { spent, left } = value.budget
    expect((spent["epsilon"] ?? 0) + (left["epsilon"] ?? 0)).toBeCloseTo(3, 9)
    expect(spent["rho"]).toBeGreaterThan(0)
  })

  test("gives columns of the same name different ones", async () => {
    const { out } = await hospital.run("ask", "SELECT COUNT(*) AS n, COUNT(*) AS n FROM person", "--json")
    const { columns, rows }: AskedJson = JSON.parse(out)
    expect(columns.map(({ name }) => name)).toEqual(["n", "n_2"])
    expect(Object.keys(rows[0] ?? {})).toEqual(["n", "n_2"])
  })

  test("prints errors as one object too, with the exit code of the kind", async () => {
    const refused = await hospital.run("ask", "SELECT 1 +\n  SUM(value_as_number) FROM measurement", "--json")
    expect(refused.code).toBe(3)
    expect(refused.error).toBe("")
    expect(JSON.parse(refused.out)).toEqual({
      error: {
        kind: "unsupported",
        code: "privacy/unbounded-sum",
        message: "SUM(value_as_number) has no bounds, so one person could change it without limit",
        help: expect.stringContaining("write SUM(CLAMP(value_as_number"),
        line: 2,
        column: 3,
      },
    })
    const wrong = await hospital.run("ask", "SELECT", "--json", "--nonsense")
    expect(wrong.code).toBe(2)
    expect(JSON.parse(wrong.out)).toMatchObject({ error: { kind: "invalid", code: "cli/usage", line: null } })
  })
})

test("--csv prints values, with --intervals their ends too", async () => {
  const plain = await hospital.run("ask", byYear, "--rows-per-group", "1", "--csv")
  // A year may be below the threshold, by its noise.
  expect(plain.out).toMatch(/^year,visits(?:,visits_state)?\r\n2019,\d*(?:,[\w-]+)?\r\n/)
  const wide = await hospital.run("ask", byYear, "--rows-per-group", "1", "--csv", "--intervals")
  expect(wide.out).toMatch(
    /^year,visits,visits_low,visits_high,visits_bounding.*\r\n2019,\d*,\d*,\d*,noise-only(?:,[\w-]+)?\r\n/,
  )
  expect((await hospital.run("ask", byYear, "--csv", "--json")).code).toBe(2)
})

describe("what to spend", () => {
  test("is said as epsilon, as rho, or as an error", async () => {
    expect((await hospital.run("ask", count, "--epsilon", "0.25")).out).toContain("cost    epsilon 0.25,")
    const explain = async (...options: readonly string[]): Promise<ExplainedJson> => {
      const value: ExplainedJson = JSON.parse(
        (await hospital.run("explain", count, "--json", ...options)).out,
      )
      return value
    }
    const byRho = await explain("--rho", "0.01")
    expect(byRho.cost.amount).toBeLessThanOrEqual(0.01)
    expect(byRho.cost.amount).toBeGreaterThan(0.00999)
    const within = await explain("--within", "50")
    expect(within.releases[0]?.aggregates[0]?.error).toMatch(/^± (4[89]|50) at 95 %$/)
    const tight = await explain("--epsilon", "0.19")
    expect(within.cost.epsilon).toBeGreaterThan(tight.cost.epsilon)
    expect(within.cost.epsilon).toBeLessThan(0.25)
  })

  test("--within knows the noise of counts that come with their keys", async () => {
    const sql =
      "SELECT condition_concept_id AS c, COUNT(DISTINCT person_id) AS n FROM condition_occurrence GROUP BY 1"
    const { out, code } = await hospital.run("explain", sql, "--within", "60", "--json")
    expect(code, out).toBe(0)
    const { cost }: ExplainedJson = JSON.parse(out)
    expect(cost.epsilon).toBeLessThan(0.5)
  })

  test.runIf(isLongForm)(
    "--within of a table or an average takes a first look, and says so before and after",
    async () => {
      // Nearly all of the 500 are in one group: a look with epsilon 0.1 has a sigma of 49, and is 8 of them
      // off before it fails. The first look is within 30 % with noise of 7 sigmas only.
      const sql = "SELECT year_of_birth > 1900 AS g, COUNT(*) AS n FROM person GROUP BY 1"
      const explained = await hospital.run("explain", sql, "--within", "30%")
      expect(explained.code, explained.error).toBe(0)
      expect(explained.out).toContain("within      30%: this look tells how large the answer is")
      const json = await hospital.run("explain", sql, "--within", "30%", "--json")
      expect(JSON.parse(json.out)).toMatchObject({
        firstLook: { epsilon: 0.01, more: [0.03, 0.1], thenAtMost: 1 },
      })
      expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
      const asked = await hospital.run("ask", sql, "--within", "30%", "--yes")
      expect(asked.code, asked.error).toBe(0)
      // What the looks cost stands with the answer.
      expect(asked.out).toMatch(/\ncost {4}epsilon .*\n {8}first look: epsilon 0\.01, /)
      const again: AskedJson = JSON.parse(
        (await hospital.run("ask", sql, "--within", "30%", "--yes", "--json")).out,
      )
      const first = expect.objectContaining({ name: "first look", origin: "recorded" })
      expect(again).toMatchObject({ origin: "recorded", stages: expect.arrayContaining([first]) })
      const explaining = await hospital.run("ask", `EXPLAIN ${sql}`, "--within", "5%")
      expect(explaining.out, explaining.error).toMatch(/^within {6}5%: this look tells/)
    },
  )

  test("--bounds auto learns bounds that nobody declared, and says which and what they cost", async () => {
    const sql = "SELECT SUM(value_as_number) AS total FROM measurement"
    expect((await hospital.run("ask", sql)).error).toContain("error[privacy/unbounded-sum]")
    const explained = await hospital.run("explain", sql, "--bounds", "auto")
    expect(explained.out).toContain("to learn bounds")
    const asked = await hospital.run("ask", sql, "--bounds", "auto", "--epsilon", "1")
    expect(asked.code, asked.error).toBe(0)
    expect(asked.out).toMatch(/\nbounds {2}SUM\(value_as_number\) from -?[\d.,]+ to -?[\d.,]+, learnt\n/)
    expect(asked.out.match(/ {8}bounds of SUM\(value_as_number\): epsilon 0\.\d+/g)).toHaveLength(2)
    const both = await hospital.run("ask", sql, "--bounds", "auto", "--within", "5%")
    expect(both.code).toBe(2)
  })

  test("cli/not-confirmed: a person sees the price and may say no; a script says --yes", async () => {
    const ask = async (answer: string): Promise<{ readonly code: number; readonly shown: string }> => {
      let shown = ""
      const prompt = new Writable({
        write: (chunk, _, done) => {
          shown += String(chunk)
          done()
        },
      })
      const code = await runCommand(["ask", count, "--within", "50"], {
        folder: hospital.folder,
        out: (text) => (shown += text),
        error: (text) => (shown += text),
        input: Readable.from([`${answer}\n`]),
        terminal: { columns: 80, plain: true, prompt },
      })
      return { code, shown }
    }
    const no = await ask("n")
    expect(no.shown).toMatch(/within 50 costs epsilon 0\.19\d*\nask\? \[y\/N\]/)
    expect(no.shown).toContain("error[cli/not-confirmed]: ")
    expect(no.code).not.toBe(0)
    expect((await hospital.run("ask", count, "--within", "50")).error).toContain("error[cli/not-confirmed]: ")
    expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
    expect(await ask("yes")).toMatchObject({ code: 0 })
  })

  const refused: readonly (readonly [string, number, readonly string[]])[] = [
    ["within/nothing", 2, ["SELECT concept_id FROM concept", "--within", "5%"]],
    ["within/unreachable", 4, [count, "--within", "1"]],
    ["within/not-positive", 2, [count, "--within", "0"]],
    ["cli/bad-option", 2, [count, "--rho", "0"]],
    ["cli/bad-option", 2, [count, "--groups-per-unit", "many"]],
    ["parameter/not-a-number", 2, [count, "--epsilon", "lots"]],
    ["ask/too-large", 4, [count, "--epsilon", "2"]],
    ["ask/not-positive", 2, [count, "--epsilon", "0"]],
    ["ask/too-small", 2, [count, "--epsilon", "0.00000099"]],
    ["bounds/bad-share", 2, [count, "--bounds", "all", "--bounds-share", "0.91"]],
    ["ask/no-such-column", 2, [count, "--weight", "nobody=2"]],
    ["cli/bad-option", 2, [count, "--weight", "nobody"]],
    ["ask/too-large", 4, [count, "--rows-per-group", "100000"]],
  ]
  test.each(refused)("%s: refused with exit code %i", async (code, exit, args) => {
    const ran = await hospital.run("ask", ...args)
    expect(ran.error).toContain(`error[${code}]: `)
    expect(ran.error).toContain("\nhelp: ")
    expect(ran).toMatchObject({ code: exit, out: "" })
    expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
  })

  test("cli/rho-elsewhere: only where the budget adds up zcdp", async () => {
    hospital.rewrite((policy) => policy.replace("accounting: zcdp", "accounting: pure"))
    const { code, error } = await hospital.run("ask", count, "--rho", "0.01")
    expect(code).toBe(2)
    expect(error).toContain(
      "error[cli/rho-elsewhere]: rho is for budgets that add up zcdp, and this one adds up pure",
    )
    const asked = await hospital.run("ask", count)
    expect(asked.out).toContain("cost    epsilon 0.5\n")
    expect(asked.out).toContain("17 % used, epsilon 0.5 of 3; 5 more like it fit")
  })
})

test("parameters are numbers, days, words and texts", async () => {
  const sql = `SELECT COUNT(*) AS n FROM visit_occurrence
    WHERE visit_start_date < $1 AND visit_concept_id = $2 AND CAST(visit_concept_id AS TEXT) <> $3 AND $4`
  const given = ["--param", "2022-01-01", "--param", "9202", "--param", "'7'", "--param", "true"]
  expect((await hospital.run("ask", sql, ...given)).code).toBe(0)
  expect((await hospital.run("ask", sql, ...given.slice(2))).code).not.toBe(0)
})

test("a column that is called explanation is shown as a column", async () => {
  const { out } = await hospital.run("ask", "SELECT 42 AS explanation")
  expect(out).toMatch(/^explanation\n-+\n +42\n\(1 row\)\n/)
})

test("EXPLAIN before a question, and questions about public tables, cost nothing", async () => {
  const explained = await hospital.run("ask", `EXPLAIN ${count}`)
  expect(explained.out).toContain("Gaussian noise of sigma")
  const listed = await hospital.run("ask", "SELECT concept_name FROM concept WHERE concept_id = 8507")
  expect(listed.out).toContain("nothing: the answer depends on nobody")
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
})

test("when the budget is spent, questions are refused, and old answers stay free", async () => {
  hospital.rewrite((policy) => policy.replace("budget: { epsilon: 3,", "budget: { epsilon: 1,"))
  const ask = async (year: number): Promise<number> =>
    (await hospital.run("ask", `${count} WHERE year_of_birth > ${year}`)).code
  const codes = [await ask(1950), await ask(1951), await ask(1952), await ask(1953), await ask(1954)]
  expect(codes).toEqual([0, 0, 0, 0, 4])
  const { error, code } = await hospital.run("ask", `${count} WHERE year_of_birth > 1954`, "--epsilon", "1")
  expect(code).toBe(4)
  expect(error).toContain("error[budget/exhausted]: the question costs rho ")
  expect(await ask(1950)).toBe(0)
})

test("cli/stopped: what is stopped before it is asked is not charged", async () => {
  let error = ""
  const code = await runCommand(["ask", count], {
    folder: hospital.folder,
    out: () => {},
    error: (text) => (error += text),
    signal: AbortSignal.abort(),
  })
  expect(code).toBe(5)
  expect(error).toContain("error[cli/stopped]: ")
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
})

test("studies and analysts are charged as well, and must be known", async () => {
  const limits =
    "limits: { studies: { heart: { epsilon: 1, delta: 1e-8 } }, analysts: { ada: { epsilon: 2, delta: 1e-8 } } }"
  hospital.rewrite((policy) => `${policy}${limits}\n`)
  expect((await hospital.run("ask", count, "--study", "heart", "--as", "ada")).code).toBe(0)
  const { accounts }: AccountsJson = JSON.parse((await hospital.run("budget", "--json")).out)
  const spent = accounts.map((account) => [account.name, (account.spent["rho"] ?? 0) > 0])
  expect(spent).toEqual([
    ["dataset", true],
    ["study:heart", true],
    ["analyst:ada", true],
  ])
  expect((await hospital.run("ask", `${count} WHERE TRUE`, "--study", "lung")).error).toContain(
    "ledger/unknown-account",
  )
  expect((await hospital.run("ask", `${count} WHERE TRUE`, "--as", "bob")).error).toContain(
    "ledger/unknown-account",
  )
  expect((await hospital.run("receipts")).out).toMatch(/ ada +heart +0\.5 +[0-9a-f]{8} +released\n$/)
})

describe("a session through a pipe", () => {
  test("answers one question after the other, over several lines", async () => {
    const { code, out, error } = await hospital.type(
      String.raw`\d
\d person
SELECT COUNT(*) AS a -- not the end;
FROM person
WHERE 'x;' = 'x;';
SELECT COUNT(*) AS b FROM death; \explain SELECT COUNT(*) FROM person;
\explain SELECT COUNT(*)
  FROM person;
\explain
\budget
\?
SELECT COUNT(*) AS c FROM visit_occurrence`,
      "ask",
    )
    expect(error).toContain("error[sql/syntax]")
    expect(code).toBe(2)
    expect(out).toContain("measurement           private\nconcept               public\n")
    expect(out).toContain("year_of_birth         integer\n")
    expect(out).not.toContain("person_source_value")
    expect(out).toMatch(/^ *a\n-/m)
  })

  test("explains, shows the budget and the help, and takes a last question without its semicolon", async () => {
    const { code, out } = await hospital.type(
      "\\explain SELECT COUNT(*)\nFROM person;\n\\explain\n\\budget\n\\?\nSELECT COUNT(*) AS c FROM death",
      "ask",
    )
    expect(code).toBe(0)
    expect(out.match(/^cost {8}rho/gm)).toHaveLength(2)
    expect(out).toContain("a default question spends epsilon 0.5")
    expect(out).toContain("SQL ends with ;")
    expect(out).toMatch(/^ *c\n-/m)
  })

  test("ends at the first error, and keeps no history of pipes", async () => {
    const { code, out } = await hospital.type(
      "SELECT 1 AS a;\nSELECT x FROM person;\nSELECT 2 AS b;",
      "ask",
      "--json",
    )
    expect(code).toBe(2)
    expect(out).toContain('"error"')
    expect(out).not.toContain('"b"')
    expect(existsSync(join(hospital.folder, ".dosimeter/history"))).toBe(false)
  })

  test("with a person goes on after an error, and remembers the questions and nothing else", async () => {
    let out = ""
    const typed = "SELECT COUNT(*) AS a\nFROM person;\nSELEC 1;\nSELECT 2 AS b;\n\\q\n"
    const prompt = new Writable({ write: (_chunk, _encoding, done) => done() })
    const code = await runCommand(["ask"], {
      folder: hospital.folder,
      out: (text) => (out += text),
      error: () => {},
      input: Readable.from([typed]),
      terminal: { columns: 80, plain: false, prompt },
    })
    expect(code).toBe(0)
    expect(out).toContain("error[sql/syntax]")
    expect(out).toMatch(/^b\n-\n2$/m)
    expect(out).toContain("budget  █░░░░░░░░░░░░░░░░░░░  3 % used")
    const history = join(hospital.folder, ".dosimeter/history")
    expect(readFileSync(history, "utf8")).toBe(
      "SELECT COUNT(*) AS a FROM person;\nSELEC 1;\nSELECT 2 AS b;\n",
    )
    expect(statSync(history).mode & 0o777).toBe(0o600)
  })

  test("is empty if there is nothing to read", async () => {
    expect(await hospital.type("", "ask")).toEqual({ code: 0, out: "", error: "" })
    expect(await hospital.run("ask")).toEqual({ code: 0, out: "", error: "" })
    expect(await hospital.type("\\q\nSELECT 1;", "ask")).toEqual({ code: 0, out: "", error: "" })
  })
})
