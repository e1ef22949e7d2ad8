import { isLongForm } from "@dosimeter/core/testing"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Command } from "commander"
import { expect, test } from "vitest"
import { addCommands } from "./add-commands.ts"
import { commands } from "./commands.ts"
import { Session } from "./session/session.ts"

const packages = new URL("../../../../", import.meta.url).href
const main = fileURLToPath(new URL("../../main.ts", import.meta.url))

/** What V8's report of a process holds of each module. */
interface Coverage {
  readonly result: readonly { readonly url: string }[]
}

/** Runs the command in a process of its own, and gives our modules that it loaded. */
function modulesOf(...args: readonly string[]): readonly string[] {
  const reports = mkdtempSync(join(tmpdir(), "dosimeter-modules-"))
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--conditions=source", "--import", import.meta.resolve("tsx"), main, ...args],
    { env: { ...process.env, NODE_V8_COVERAGE: reports }, encoding: "utf8" },
  )
  expect(status, stderr).toBe(0)
  const urls = readdirSync(reports).flatMap((name) => {
    const { result }: Coverage = JSON.parse(readFileSync(join(reports, name), "utf8"))
    return result.map(({ url }) => url)
  })
  rmSync(reports, { recursive: true })
  return urls.filter((url) => url.startsWith(packages)).map((url) => url.slice(packages.length))
}

test("the list of commands loads no command", () => {
  const loaded = modulesOf("--help")
  expect(loaded).toContain("server/src/doors/cli/commands.ts")
  expect(loaded.length).toBeLessThan(30)
})

test.runIf(isLongForm)(
  "a question loads nothing of the server's doors, of collecting and of the demonstration",
  () => {
    const loaded = modulesOf("ask", "--help")
    expect(loaded).toContain("server/src/doors/cli/ask/ask.ts")
    expect(loaded).toContain("engine/src/release/release.ts")
    const foreign =
      /^server\/src\/(doors\/(http|pgwire)|doors\/cli\/(serve|owner|governance)|collector|demo)\//
    expect(loaded.filter((path) => foreign.test(path))).toEqual([])
  },
)

test("the list of commands says of each what its file says", async () => {
  const session = new Session({ folder: ".", out: () => {}, error: () => {} })
  const listed = new Command("dosimeter")
  await addCommands(listed, session, [])
  const loaded = new Command("dosimeter")
  await addCommands(
    loaded,
    session,
    commands.map(({ name }) => name),
  )
  expect(listed.helpInformation()).toBe(loaded.helpInformation())
})
