// The programs inside Markdown: finds the `ts` blocks, writes them out as files, checks their types and runs
// them, all in two processes. After `ts` a block may say `no-run` (types only) or `continue` (it goes on from
// the block before it on the same page).

import { spawn } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, type RepoFile } from "./repo.ts"

/** One program from a page. */
export interface Block {
  readonly page: string
  /** The line of the page where the code begins. */
  readonly line: number
  readonly code: string
  readonly run: boolean
  /** File name without ending. */
  readonly id: string
}

const folder = join(root, "node_modules/.cache/docs")

/** The `ts` blocks of a page, each with what it continues in front of it. */
export function blocksOf({ path, text }: RepoFile): readonly Block[] {
  const blocks: Block[] = []
  for (const match of text.matchAll(/^```ts\b([^\n]*)\n([^]*?)^```/gm)) {
    const words = (match[1] ?? "").split(" ")
    const line = text.slice(0, match.index).split("\n").length + 1
    const before = words.includes("continue") ? (blocks.at(-1)?.code ?? "") : ""
    const id = `${path.replace(/[^a-z0-9]+/gi, "-")}-${line}`
    blocks.push({ page: path, line, code: before + (match[2] ?? ""), run: !words.includes("no-run"), id })
  }
  return blocks
}

/** Writes the blocks out, checks their types and runs them. From `page:line` to what went wrong. */
export async function checkBlocks(blocks: readonly Block[]): Promise<ReadonlyMap<string, string>> {
  if (blocks.length === 0) return new Map()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const base = join(root, "tsconfig.base.json")
  const compilerOptions = { types: ["node"], typeRoots: [join(root, "node_modules/@types")], noEmit: true }
  const files = blocks.map(({ id }) => `${id}.ts`)
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: base, compilerOptions, files }))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  for (const { id, code } of blocks) writeFileSync(join(folder, `${id}.ts`), `${code}\nexport {}\n`)
  writeFileSync(join(folder, "run-all.ts"), runnerOf(blocks))
  const [types, runs] = await Promise.all([
    runNode([join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"]),
    runNode(["--conditions=source", "--import", "tsx", join(folder, "run-all.ts")]),
  ])
  const problems = new Map<string, string>()
  for (const { id, page, line, run } of blocks) {
    const wrong = types.output.split("\n").filter((text) => text.includes(`${id}.ts(`))
    const failed = runs.output.split("\n").find((text) => text.startsWith(`FAILED ${id} `))
    const ended = runs.output
      .split("\n")
      .some((text) => /^(OK|FAILED) /.test(text) && text.split(" ")[1] === id)
    if (wrong.length > 0) problems.set(`${page}:${line}`, wrong.join("\n"))
    else if (failed !== undefined) problems.set(`${page}:${line}`, failed)
    else if (run && !ended)
      problems.set(`${page}:${line}`, `did not run to its end: ${runs.output.slice(-500)}`)
  }
  if (types.status !== 0 && problems.size === 0) problems.set("all blocks", types.output)
  return problems
}

/** A program that runs the blocks one after the other and says how each ended. */
function runnerOf(blocks: readonly Block[]): string {
  const ids = blocks.filter(({ run }) => run).map(({ id }) => id)
  return `const say = process.stdout.write.bind(process.stdout)
for (const id of ${JSON.stringify(ids)}) {
  try {
    await import("./" + id + ".ts")
    say("\\nOK " + id + "\\n")
  } catch (error) {
    const text = String(error instanceof Error ? error.stack : error)
    say("\\nFAILED " + id + " " + text.split("\\n").slice(0, 4).join(" | ") + "\\n")
  }
}
`
}

/** Runs Node from the root and returns its exit status with everything it printed. */
export function runNode(
  args: readonly string[],
): Promise<{ readonly status: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, timeout: 600_000 })
    let output = ""
    child.stdout.on("data", (chunk) => (output += String(chunk)))
    child.stderr.on("data", (chunk) => (output += String(chunk)))
    child.on("error", reject)
    child.on("close", (status) => resolve({ status, output }))
  })
}
