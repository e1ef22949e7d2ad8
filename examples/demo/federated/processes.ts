// The commands of the demo: short ones in this process, those that go on in processes of their own.

import { spawn, type ChildProcess } from "node:child_process"
import { createServer } from "node:net"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { runCommand } from "@dosimeter/server"

/** Runs a command to its end; one that fails ends the demo. */
export async function command(folder: string, ...args: readonly string[]): Promise<string> {
  let [out, error] = ["", ""]
  const code = await runCommand(args, {
    folder,
    out: (text) => void (out += text),
    error: (text) => void (error += text),
  })
  if (code !== 0) throw new Error(`dosimeter ${args.join(" ")} ended with ${code}:\n${out}${error}`)
  return out
}

/** Commands that go on until they are stopped. */
export class Processes {
  readonly #running = new Map<string, ChildProcess>()

  /** Starts one. If it fails by itself, what it said is shown, and the demo ends. */
  start(name: string, folder: string, ...args: readonly string[]): void {
    const main = fileURLToPath(new URL("../../../packages/server/src/main.ts", import.meta.url))
    const tsx = import.meta.resolve("tsx")
    const child = spawn(process.execPath, ["--conditions=source", "--import", tsx, main, ...args], {
      cwd: folder,
      // Under npm, paths are meant from where npm was called; these are meant from the folder of the process.
      env: { ...process.env, INIT_CWD: folder },
      stdio: ["ignore", "ignore", "pipe"],
    })
    let error = ""
    child.stderr.on("data", (data: unknown) => void (error += String(data)))
    child.on("exit", (code) => {
      if (code === 0 || code === null) return
      process.stderr.write(`${name} has ended:\n${error}`)
      void this.stop().then(() => process.exit(1))
    })
    this.#running.set(name, child)
  }

  /** Kills one without a warning, as a power cut does. */
  async kill(name: string): Promise<void> {
    await this.#end(name, "SIGKILL")
  }

  /** Stops all. */
  async stop(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.#end(name, "SIGTERM")))
  }

  async #end(name: string, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#running.get(name)
    this.#running.delete(name)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, "exit")
  }
}

/** The usual port, or any free one where another program has it. */
export async function freePort(usual: number): Promise<number> {
  for (const port of [usual, 0]) {
    const probe = createServer()
    const found = await new Promise<number | undefined>((resolve) => {
      probe.once("error", () => resolve(undefined))
      probe.listen(port, "127.0.0.1", () => {
        const address = probe.address()
        resolve(typeof address === "object" && address !== null ? address.port : undefined)
      })
    })
    probe.close()
    if (found !== undefined) return found
  }
  throw new Error("no port is free")
}

/** How long to wait for what should take seconds: on a busy machine it takes longer. */
const patienceMs = 5 * 60_000

/** Waits until something holds; looks again after a pause. */
export async function until(what: string, holds: () => Promise<boolean>, pauseMs = 150): Promise<void> {
  const end = Date.now() + patienceMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited too long until ${what}`)
    await sleep(pauseMs)
  }
}
