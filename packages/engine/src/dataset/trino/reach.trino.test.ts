import type { TrinoSource } from "@dosimeter/policy/file/policy"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { failure } from "../../testing/database/workbench.ts"
import { trinoOfTests } from "../../testing/trino-of-tests.ts"
import { trino } from "./trino-database.ts"

const { url, securedUrl, keys } = trinoOfTests()
const tiny: TrinoSource = {
  kind: "trino",
  url,
  catalog: "tpch",
  schema: "tiny",
  version: { by: "word", word: "1" },
}
const secured: TrinoSource = { ...tiny, url: securedUrl.replace("://", "://reader@"), caFile: "ca.pem" }

/** How opening a source ends: with its number of tables, or with what is said of it. */
async function opening(source: TrinoSource): Promise<string> {
  const work = trino(source).open({ folder: keys })
  const opened = await work.catch(() => undefined)
  if (opened === undefined) return (await failure(work)).message
  const { tables } = await opened.discover()
  await opened.close()
  return `${tables.length} tables`
}

describe("whom a Trino lets in", () => {
  test.each([
    ["a name, from this machine", tiny],
    ["a password", { ...secured, passwordFile: "password" }],
    ["a token", { ...secured, tokenFile: "token" }],
    ["a certificate", { ...secured, certificateFile: "client.pem", keyFile: "client.key" }],
  ])("%s", async (_, source) => {
    expect(await opening(source)).toBe("8 tables")
  })

  test("nobody without one of them, or with a wrong one", async () => {
    expect(await opening(secured)).toContain("does not let this user in")
    writeFileSync(join(keys, "wrong"), "CANARY\n")
    expect(await opening({ ...secured, passwordFile: "wrong" })).toContain("does not let this user in")
    expect(await opening({ ...secured, tokenFile: "wrong" })).toContain("does not let this user in")
    const other = { ...secured, url: securedUrl.replace("://", "://somebody@"), passwordFile: "password" }
    expect(await opening(other)).toContain("does not let this user in")
  })
})

test("tables without snapshots need the owner's word", async () => {
  const work = trino({ ...tiny, version: { by: "snapshots" } }).open({ folder: keys })
  expect((await failure(work)).code).toBe("dataset/no-version")
})

test("lists of people need a place of ours", async () => {
  const opened = await trino(tiny).open({ folder: keys })
  const serving = opened.serve({ timeoutMs: 60_000, unitLists: true })
  expect((await failure(serving)).code).toBe("dataset/no-place")
  await opened.close()
})

describe("what cannot be reached is told in our words, before anything is charged", () => {
  const { caFile: _, ...untrusted } = secured
  test.each([
    ["a certificate that nobody we trust has signed", untrusted, "certificate is not trusted"],
    ["nothing there", { ...tiny, url: "http://127.0.0.1:9" }, "nothing answers at its address"],
    ["no such catalog", { ...tiny, catalog: "nowhere" }, "it has no such catalog"],
    ["no such schema", { ...tiny, schema: "nowhere" }, "has no schema nowhere"],
    ["another machine without TLS", { ...tiny, url: "http://trino.example:80" }, "begins with https://"],
    ["a password without TLS", { ...tiny, passwordFile: "password" }, "needs https://"],
    ["no file of a password", { ...secured, passwordFile: "nothing" }, "there is no file nothing"],
  ])("%s", async (_, source, said) => {
    expect(await opening(source)).toContain(said)
  })
})
