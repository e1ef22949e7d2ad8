import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findPostgres } from "./postgres-cluster.ts"

const isOurs = "open" in findPostgres() && (process.env["DOSIMETER_TEST_POSTGRES"] ?? "") === ""

/** A process that starts a server of its own, says where, and never ends by itself. */
const program = `
  import { findPostgres } from ${JSON.stringify(join(import.meta.dirname, "postgres-cluster.ts"))}
  const cluster = findPostgres().open()
  console.log(new URL((await cluster.database())).searchParams.get("host"))
  setInterval(() => undefined, 1000)
`

test.skipIf(!isOurs)("a process of tests that is killed leaves no server behind", async () => {
  const args = ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", program]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const [said]: unknown[] = await once(child.stdout, "data")
  const folder = String(said).trim()
  const pid = Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0])
  expect(isAlive(pid)).toBe(true)
  child.kill("SIGKILL")
  await expect.poll(() => isAlive(pid), { interval: 100 }).toBe(false)
  await expect.poll(() => existsSync(folder), { interval: 100 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // There is no such process.
  }
}
