import { isLongForm } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { makeHospital } from "../../../demo/hospital.ts"
import { Client } from "../../http/contract/client.ts"
import { runCommand } from "../../../main.ts"
import { serveDemo } from "./demo-serve.ts"
import { Session } from "../session/session.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-demo-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = ""
  const write = (more: string): void => {
    text += more
  }
  const code = await runCommand(args, { folder, out: write, error: write, called: "dosimeter" })
  return { code, text }
}

test("the demo answers five questions, one of them twice, refuses one, and says what to try", async () => {
  const { code, text } = await run("demo", "h", "--persons", "2000")
  expect(code, text).toBe(0)
  expect(text.match(/^cost {4}epsilon /gm)).toHaveLength(5)
  expect(text.match(/^cost {4}recorded answer, free/gm)).toHaveLength(1)
  expect(text).toContain("error[privacy/unbounded-sum]: ")
  expect(text).toContain("^^^^^^^^^^^^^^^^^^^^")
  expect(text).toMatch(/^dataset {2}\[##?\.+\] +\d+ % used/m)
  for (const line of text.split("\n").filter((one) => !/^(error|help|A hospital|  dosimeter)/.test(one)))
    expect(line.length, line).toBeLessThanOrEqual(100)
})

test.runIf(isLongForm)("the commands that it recommends work as they stand", async () => {
  const { text } = await run("demo", "again", "--persons", "500", "--only")
  const commands = [...text.matchAll(/^ {2}dosimeter (.*?)(?: +#.*)?$/gm)].map(([, command]) => command ?? "")
  expect(commands.length).toBeGreaterThanOrEqual(5)
  for (const command of commands) {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")
    // A person is asked before a price is paid; here nobody can be.
    const ran = await run(...words, ...(command.includes("--within") ? ["--yes"] : []))
    expect(ran.code, `${command}\n${ran.text}`).toBe(0)
  }
})

test.runIf(isLongForm)(
  "it ends with a server, in which a study is approved and everybody can sign in",
  async () => {
    await run("demo", "served", "--persons", "100", "--only")
    const controller = new AbortController()
    let [out, rows] = ["", 0]
    const tryIt = async (): Promise<void> => {
      const [, password = "", port = "", user = ""] =
        /PGPASSWORD=(\S+) psql "host=127\.0\.0\.1 port=(\d+) user=(\w+)/.exec(out) ?? []
      const asker = new pg.Client({
        host: "127.0.0.1",
        port: Number(port),
        user,
        password,
        database: "hospital",
      })
      await asker.connect()
      rows = (await asker.query("SELECT COUNT(*) FROM person")).rowCount ?? 0
      await asker.end()
      const url = /browser: (\S+)/.exec(out)?.[1] ?? ""
      for (const [, name = "", made = ""] of out.matchAll(/^ {2}(\w+) +\w+ +(\S{20})$/gm)) {
        await new Client({ url }).call("signIn", { body: { name, password: made } })
        rows += 1
      }
    }
    const session = new Session({
      folder,
      error: () => {},
      signal: controller.signal,
      out: (text) => {
        out += text
        if (text.includes("Ctrl-C")) void tryIt().finally(() => controller.abort())
      },
    })
    await serveDemo(join(folder, "served/dosimeter.yaml"), session)
    expect(rows, out).toBe(1 + 6)
  },
)

test("a hospital is not overwritten unless told to, and its size is checked", async () => {
  await run("demo", "mine", "--persons", "100", "--only")
  expect(await run("demo", "mine", "--persons", "100", "--only")).toMatchObject({
    code: 4,
    text: expect.stringContaining("error[cli/file-exists]: "),
  })
  expect((await run("demo", "mine", "--persons", "100", "--only", "--force")).code).toBe(0)
  expect((await run("demo", "other", "--persons", "12")).text).toContain(
    "error[cli/bad-option]: --persons is 12",
  )
  expect(existsSync(join(folder, "other"))).toBe(false)
})

test("the hospital is the same every time, on every machine", async () => {
  await makeHospital(join(folder, "fixed"), { persons: 300 })
  expect(readFileSync(join(folder, "fixed/dosimeter.yaml"), "utf8")).toContain("schema: omop-5.4")
  const instance = await DuckDBInstance.create(join(folder, "fixed/hospital.duckdb"))
  const connection = await instance.connect()
  const tables = [
    "person",
    "visit_occurrence",
    "condition_occurrence",
    "drug_exposure",
    "measurement",
    "death",
  ]
  const prints: Record<string, string> = {}
  for (const table of tables) {
    const rows = (await connection.runAndReadAll(`SELECT * FROM ${table} ORDER BY ALL`)).getRows()
    const text = rows.map((row) => row.join("|")).join("\n")
    prints[table] = `${rows.length} ${createHash("sha256").update(text).digest("hex").slice(0, 16)}`
  }
  connection.closeSync()
  instance.closeSync()
  expect(prints).toMatchInlineSnapshot(`
    {
      "condition_occurrence": "1979 96ca503d11a27394",
      "death": "5 2865344d479f1c63",
      "drug_exposure": "1369 c8afc0848c9a1925",
      "measurement": "965 8940ac092292583c",
      "person": "300 1159e5937d597471",
      "visit_occurrence": "2495 86c16b97bba6765a",
    }
  `)
})
