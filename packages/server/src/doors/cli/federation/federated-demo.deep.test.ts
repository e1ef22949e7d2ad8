// The demo of several sites, as npm runs it: from the root of the checkout, which is not where its files are.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { withoutProgress } from "../../../testing/small-hospital.ts"

const root = fileURLToPath(new URL("../../../../../../", import.meta.url))

test("npm run demo -- federated walks to its end", async () => {
  const args = ["--conditions=source", "--import", "tsx", "examples/demo/main.ts", "federated", "--no-serve"]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, INIT_CWD: root, npm_lifecycle_event: "demo" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let [out, error] = ["", ""]
  child.stdout.on("data", (data: unknown) => void (out += String(data)))
  child.stderr.on("data", (data: unknown) => void (error += String(data)))
  const [code] = await once(child, "exit")
  expect(withoutProgress(error)).toBe("")
  expect(code).toBe(0)
  const sections = Array.from(out.matchAll(/^(\d+)\. /gm), ([, number]) => Number(number))
  expect(sections.length).toBeGreaterThan(8)
  expect(sections).toEqual(sections.map((_, index) => index + 1))
  expect(out).toMatch(/site +state.*\n\s+north +done\s+south +done\s+west +done/s)
  expect(out).toMatch(/west +lost/)
  expect(out).toContain("random effects")
})
