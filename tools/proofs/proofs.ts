// The command behind `npm run proofs`: says which proofs must be read again, and records that they were.
//   check                 lists what is open
//   stamp NAME... | --all records the present code of these functions as proved
//   prune                 forgets functions that are gone

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  fieldProblems,
  longProofs,
  missingPages,
  pageProblems,
  promisesOf,
  readHead,
  restampPage,
  stampProblems,
  strayPromises,
  type Stamps,
} from "./proof-check.ts"
import { markdownFiles, readIfThere, root, typescriptFiles } from "../rules/repo.ts"

const stampsPath = "tools/proofs/proofs.json"

/** Everything that is wrong with the proofs of the repository. */
export function openProofs(): readonly string[] {
  const { files, pages, stamps } = readAll()
  return [
    ...fieldProblems(files),
    ...longProofs(files),
    ...strayPromises(files),
    ...stampProblems(promisesOf(files), stamps),
    ...pages.flatMap((page) => pageProblems(page, files)),
    ...missingPages(files, pages),
  ]
}

function readAll() {
  const files = typescriptFiles()
  const pages = markdownFiles().filter(({ path }) => path.endsWith(".proof.md"))
  const stamps: Stamps = JSON.parse(readIfThere(stampsPath) ?? "{}")
  return { files, pages, stamps }
}

function stamp(names: readonly string[], all: boolean): void {
  const { files, pages, stamps } = readAll()
  const promised = promisesOf(files)
  const chosen = promised.filter(({ name }) => all || names.includes(name))
  const chosenPages = pages.filter(
    ({ text }) => all || (readHead(text)?.proves ?? []).some((name) => names.includes(name)),
  )
  const stamped = new Set([
    ...chosen.map(({ name }) => name),
    ...chosenPages.flatMap(({ text }) => readHead(text)?.proves ?? []),
  ])
  const unknown = names.filter((name) => !stamped.has(name))
  if (unknown.length > 0) throw new Error(`nothing named ${unknown.join(", ")} makes a Guarantee`)
  writeStamps({ ...stamps, ...Object.fromEntries(chosen.map(({ key, fingerprint }) => [key, fingerprint])) })
  const today = new Date().toISOString().slice(0, 10)
  for (const page of chosenPages) {
    const source = files.find(({ path }) => path === page.path.replace(/\.proof\.md$/, ".ts"))
    if (source !== undefined) writeFileSync(join(root, page.path), restampPage(page, source, today))
  }
  console.log(`stamped ${chosen.length} functions and ${chosenPages.length} proof pages`)
}

/** Writes the stamps of functions that exist, sorted, so that parallel work merges. */
function writeStamps(stamps: Stamps): void {
  const alive = new Set(promisesOf(typescriptFiles()).map(({ key }) => key))
  const kept = Object.entries(stamps)
    .filter(([key]) => alive.has(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(join(root, stampsPath), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}

function main(args: readonly string[]): void {
  const [command = "check", ...names] = args
  if (command === "stamp" && names.length > 0) {
    stamp(
      names.filter((name) => name !== "--all"),
      names.includes("--all"),
    )
    return
  }
  if (command === "prune") {
    writeStamps(readAll().stamps)
    return
  }
  if (command !== "check")
    throw new Error("use: npm run proofs -- check | stamp NAME... | stamp --all | prune")
  const open = openProofs()
  for (const problem of open) console.log(problem)
  console.log(open.length === 0 ? "all proofs are current" : `${open.length} open`)
  if (open.length > 0) process.exitCode = 1
}

if (process.argv[1] === join(root, "tools/proofs/proofs.ts")) main(process.argv.slice(2))
