import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-role-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function role(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = ""
  const write = (piece: string): void => void (text += piece)
  const code = await runCommand(["source-role", ...args], { folder, out: write, error: write })
  return { code, text }
}

test("source-role prints a role that reads some schemas, from a URL and from a policy", async () => {
  const url = `postgres://o"hara@db.example.org/ward`
  const printed = await role(url.replace('"', "%22"), "--schema", "ehr", 'q"q', "--copies", "mine")
  expect(printed.code).toBe(0)
  expect(printed.text.split("\n").slice(1)).toEqual([
    'CREATE ROLE "o""hara" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 40;',
    'ALTER ROLE "o""hara" SET default_transaction_read_only = on;',
    'GRANT CONNECT, TEMPORARY ON DATABASE "ward" TO "o""hara";',
    'GRANT USAGE ON SCHEMA "ehr" TO "o""hara";',
    'GRANT SELECT ON ALL TABLES IN SCHEMA "ehr" TO "o""hara";',
    'GRANT USAGE ON SCHEMA "q""q" TO "o""hara";',
    'GRANT SELECT ON ALL TABLES IN SCHEMA "q""q" TO "o""hara";',
    'CREATE SCHEMA "mine" AUTHORIZATION "o""hara";',
    'ALTER ROLE "o""hara" SET log_parameter_max_length = 0;',
    "",
  ])
  writeFileSync(
    join(folder, "p.yaml"),
    "source: { postgres: postgres://db.example.org/ward, version_table: [etl, load] }\n",
  )
  const ofPolicy = await role("p.yaml", "--role", "reader")
  expect(ofPolicy.text).toContain('GRANT SELECT ON "etl"."load" TO "reader";')
  expect(ofPolicy.text).toContain('GRANT SELECT ON ALL TABLES IN SCHEMA "public" TO "reader";')
})

test("files have no roles", async () => {
  writeFileSync(join(folder, "f.yaml"), "source: { csv: a.csv }\n")
  const { code, text } = await role("f.yaml")
  expect([code === 0, text.includes("cli/unknown-source")]).toEqual([false, true])
})
