// The limit against hanging, with planted hangs: everything that hangs is ended, and what it was at is named.

import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { runLimited, type Limited } from "./limited.ts"
import { endOf, hanging, showProgress } from "./show-progress.ts"
import { root } from "../rules/repo.ts"

let folder = ""
let lines: string[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "limited-"))
  lines = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const farAway = 10 * 60_000

function node(script: string, more: Partial<Limited> = {}) {
  const path = join(folder, "step.mjs")
  writeFileSync(path, script)
  return runLimited({
    program: process.execPath,
    args: [path],
    cwd: folder,
    limitMs: farAway,
    graceMs: 300,
    log: (line) => void lines.push(line),
    ...more,
  })
}

/** Starts a process that does not end when it is asked to, in a group of its own. */
const stubborn = `
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
const beat = 'setInterval(() => require("node:fs").writeFileSync("beat", ""), 20)'
const script = 'process.on("SIGTERM", () => {}); console.log("up"); ' + beat
const child = spawn(process.execPath, ["-e", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] })
await new Promise((resolve) => child.stdout.once("data", resolve))
writeFileSync("pid", String(child.pid))
`

/** Whether the process still writes its file. */
async function isBeating(): Promise<boolean> {
  rmSync(join(folder, "beat"), { force: true })
  await sleep(200)
  return existsSync(join(folder, "beat"))
}

async function until(isSo: () => boolean): Promise<string> {
  while (!isSo()) await sleep(50)
  return "this is where it should be"
}

const stubbornPid = (): number => Number(readFileSync(join(folder, "pid"), "utf8"))

describe("a program", () => {
  test("that ends is what it says that it is", async () => {
    expect(await node("process.exit(0)")).toMatchObject({ ok: true })
    expect(await node("process.exit(3)")).toMatchObject({ ok: false })
    expect(lines).toEqual([])
  })

  test("gets no input, and sends what it has to say", async () => {
    const messages: unknown[] = []
    const script = `
      let text = ""
      for await (const chunk of process.stdin) text += chunk
      process.send({ text }, () => process.disconnect())`
    const onMessage = (message: unknown): void => void messages.push(message)
    expect(await node(script, { onMessage })).toMatchObject({ ok: true })
    expect(messages).toEqual([{ text: "" }])
  })

  test("that hangs has failed, is named, and ends with all that it has started", async () => {
    const isOver = until(() => existsSync(join(folder, "pid")))
    const script = `${stubborn}\nsetInterval(() => {}, 1000)`
    const ended = await node(script, { isOver, progress: () => "it was at three of four" })
    expect(ended.ok).toBe(false)
    const said = lines.join("\n")
    expect(said).toContain("it was at three of four")
    expect(said).toContain(`${ended.pid} `)
    expect(said).toContain(`${stubbornPid()} `)
    expect(said).not.toContain("could not be ended")
    expect(await isBeating()).toBe(false)
  })

  test("that takes longer than its limit has failed", async () => {
    expect(await node("setInterval(() => {}, 1000)", { limitMs: 300 })).toMatchObject({ ok: false })
    expect(lines[0]).toBe("this has not ended within 0.3 s, and is stopped with all that it has started")
  })

  test("that leaves a process behind has failed, and the process ends", async () => {
    expect(await node(`${stubborn}\nprocess.exit(0)`)).toMatchObject({ ok: false })
    expect(lines.join("\n")).toContain(`left behind, and ended now:\n  ${stubbornPid()} `)
    expect(await isBeating()).toBe(false)
  })
})

describe("a run of Vitest that hangs says what it was at", () => {
  const imports = `import { test } from "vitest"`
  const files = {
    "quick.test.js": `${imports}\ntest("ends", () => {})`,
    "wait.test.js": `${imports}\ntest("passes", () => {})\ntest("waits", () => new Promise(() => {}))`,
    "loop.test.js": `${imports}\ntest("loops", () => { for (;;); })`,
    "load.test.js": `${imports}\nawait new Promise(() => {})\ntest("is never known", () => {})`,
  }

  test("files, and tests in them", async () => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const progress = join(folder, "progress")
    const reporter = join(root, "tools/setup/progress-reporter.ts")
    const script = `
      import { createVitest } from ${JSON.stringify(join(root, "node_modules/vitest/dist/node.js"))}
      import { ProgressReporter } from ${JSON.stringify(reporter)}
      const reporters = [new ProgressReporter(${JSON.stringify(progress)})]
      const endless = { testTimeout: 3e6, watch: false }
      const setupFiles = [${JSON.stringify(join(root, "tools/setup/progress-setup.ts"))}]
      const where = { root: ${JSON.stringify(folder)}, config: false, maxWorkers: 4, setupFiles }
      const vitest = await createVitest("test", { ...where, ...endless, reporters })
      await vitest.start()`
    const isOver = until(() => {
      const seen = showProgress(progress)
      const isDone = seen.includes("not begun: 0 files") && !seen.includes("quick.test.js")
      return isDone && seen.includes(": waits") && seen.includes(": loops")
    })
    const args = ["--import", import.meta.resolve("tsx"), join(folder, "step.mjs")]
    const more = { args, env: { TEST_PROGRESS: progress }, isOver, progress: () => showProgress(progress) }
    expect(await node(script, more)).toMatchObject({ ok: false })
    expect(lines[1]).toMatch(/^begun and not ended:\n/)
    expect(lines[1]).toMatch(/wait\.test\.js: waits$/m)
    expect(lines[1]).toMatch(/loop\.test\.js: loops$/m)
    expect(lines[1]).toMatch(/load\.test\.js: loading, or in a hook$/m)
    expect(lines[1]).toMatch(/\nnot begun: 0 files$/)
    expect(lines.join("\n")).not.toContain("could not be ended")
  })

  test("or that all have reported", () => {
    const path = join(folder, "progress")
    expect(showProgress(path)).toBe("Vitest has not begun")
    const steps = [
      { kind: "listed", file: "a" },
      { kind: "loading", file: "a" },
    ]
    const write = (all: readonly object[]): void =>
      writeFileSync(path, all.map((one) => `${JSON.stringify(one)}\n`).join(""))
    write([{ kind: "listed", file: "b" }, ...steps, { kind: "test", file: "a", test: "t" }])
    expect(showProgress(path)).toBe("begun and not ended:\n  a: t\nnot begun: 1 files")
    write([...steps, { kind: "file-ended", file: "a" }])
    expect(showProgress(path)).toBe("all files have reported; the run has not ended")
    expect(endOf(path)).toBe(undefined)
    write([...steps, { kind: "file-ended", file: "a" }, { kind: "run-ended", hasPassed: true }])
    expect(showProgress(path)).toBe("all files have reported; Vitest itself does not end")
    expect(endOf(path)).toEqual({ hasPassed: true })
  })

  test("when nothing happens for longer than a test and a pause, or than a pause after the last", async () => {
    const path = join(folder, "progress")
    const limits = { testMs: 60_000, pauseMs: 1000 }
    const quiet = (kind: string, ms: number): void => {
      writeFileSync(path, `${JSON.stringify({ kind })}\n`)
      utimesSync(path, new Date(), new Date(Date.now() - ms))
    }
    const watch = new AbortController()
    const isHanging = async () => {
      const given = hanging(path, limits, watch.signal).then(() => true)
      return Promise.race([given, sleep(500, false)])
    }
    expect(await isHanging()).toBe(false)
    quiet("test", 30_000)
    expect(await isHanging()).toBe(false)
    quiet("test", 62_000)
    expect(await hanging(path, limits, watch.signal)).toBe("this has done nothing for 61 s")
    quiet("run-ended", 2_000)
    expect(await hanging(path, limits, watch.signal)).toBe("this has done nothing for 1 s")
    rmSync(path)
    const given = hanging(path, limits, watch.signal)
    watch.abort()
    await expect(given).rejects.toThrow("aborted")
  })
})
