// The programs inside Markdown: finds the `ts` blocks, writes them out as files and runs them, all in one
// process; `npm run types` checks their types. After `ts` a block may say `no-run` (types only) or `continue`
// (it goes on from the block before it on the same page).

import { spawn } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { markdownFiles, root, type RepoFile } from "./repo.ts"

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

/** The blocks of README and of every page under docs/. */
export function documentedBlocks(): readonly Block[] {
  return markdownFiles()
    .filter(({ path }) => /^(README\.md|docs\/)/.test(path))
    .flatMap(blocksOf)
}

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

/** Writes blocks out as modules in a folder under node_modules/.cache; the paths of the files. */
export function writeBlocks(name: string, blocks: readonly Block[]): readonly string[] {
  const folder = join(root, "node_modules/.cache", name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  return blocks.map(({ id, code }) => {
    const path = join(folder, `${id}.ts`)
    writeFileSync(path, `${code}\nexport {}\n`)
    return path
  })
}

/** Runs the blocks. From `page:line` to what went wrong. */
export async function runBlocks(blocks: readonly Block[]): Promise<ReadonlyMap<string, string>> {
  writeBlocks("docs", blocks)
  const runner = join(root, "node_modules/.cache/docs/run-all.ts")
  writeFileSync(runner, runnerOf(blocks))
  const { output } = await runNode(["--conditions=source", "--import", "tsx", runner])
  const lines = output.split("\n")
  const problems = new Map<string, string>()
  for (const { id, page, line } of blocks) {
    const failed = lines.find((text) => text.startsWith(`FAILED ${id} `))
    if (failed !== undefined) problems.set(`${page}:${line}`, failed)
    else if (!lines.includes(`OK ${id}`)) {
      problems.set(`${page}:${line}`, `did not run to its end: ${output.slice(-500)}`)
    }
  }
  return problems
}

/** A program that runs the blocks one after the other and says how each ended. */
function runnerOf(blocks: readonly Block[]): string {
  const ids = blocks.map(({ id }) => id)
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
