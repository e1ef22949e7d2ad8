// What a run of tests was at, from the file in which it writes down its progress, and whether it hangs.

import { existsSync, readFileSync, statSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { showMs } from "./limited.ts"
import type { Step } from "./progress.ts"
import { root } from "../rules/repo.ts"

/** What a run was at, from its file: what had not reported, and what of it was not begun. */
export function showProgress(path: string): string {
  if (!existsSync(path)) return "Vitest has not begun"
  const [waiting, running] = [new Set<string>(), new Map<string, Set<string>>()]
  for (const { kind, file = "", test = "" } of readSteps(path)) {
    if (kind === "run-ended") return "all files have reported; Vitest itself does not end"
    if (kind === "listed") waiting.add(file)
    else waiting.delete(file)
    if (kind === "file-ended") running.delete(file)
    else if (kind !== "listed" && !running.has(file)) running.set(file, new Set())
    if (kind === "test") running.get(file)?.add(test)
    if (kind === "test-ended") running.get(file)?.delete(test)
  }
  const begun = [...running].map(
    ([file, tests]) =>
      `  ${file.replace(`${root}/`, "")}: ${[...tests].join("; ") || "loading, or in a hook"}`,
  )
  if (begun.length === 0 && waiting.size === 0) return "all files have reported; the run has not ended"
  return [`begun and not ended:`, ...begun, `not begun: ${waiting.size} files`].join("\n")
}

/** How a run ended, if all of its tests have: whether they passed, and nothing else failed. */
export function endOf(path: string): { readonly hasPassed: boolean } | undefined {
  const last = existsSync(path) ? readSteps(path).at(-1) : undefined
  return last?.kind === "run-ended" ? { hasPassed: last.hasPassed === true } : undefined
}

/**
 * Resolves when a run hangs: nothing happens for longer than a test and a pause may take, or it does not end
 * within a pause after its last test. Says so. Rejects when the signal says that nobody waits any more.
 */
export async function hanging(
  path: string,
  { testMs, pauseMs }: { readonly testMs: number; readonly pauseMs: number },
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    await sleep(Math.min(pauseMs / 10, 5_000), undefined, { signal })
    if (!existsSync(path)) continue
    const quietMs = Date.now() - statSync(path).mtimeMs
    const limitMs = endOf(path) === undefined ? testMs + pauseMs : pauseMs
    if (quietMs > limitMs) return `this has done nothing for ${showMs(limitMs)}`
  }
}

function readSteps(path: string): readonly Step[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  const steps: readonly Step[] = JSON.parse(`[${lines.join(",")}]`)
  return steps
}
