// Who imports whom, and what tools/rules/import-policy.ts says about it. Works on any list of files, so that
// the checks themselves can be tested on small made-up repositories.

import { builtinModules } from "node:module"
import { posix } from "node:path"
import {
  auditFile,
  clientFile,
  fileDoors,
  folderOrder,
  indexFiles,
  libraryRooms,
  narrowFolders,
  ownerFiles,
  ownerReaders,
  packageOrder,
  purePackages,
  readOrder,
} from "./import-policy.ts"
import { isTest, type RepoFile } from "./repo.ts"
import { importsOf, parseSource } from "./syntax.ts"

/** One import. `to` is a path from the root for a file of ours, otherwise the specifier as written. */
export interface Arrow {
  readonly from: string
  readonly to: string
  readonly line: number
  /** True if the import was written as a relative path. */
  readonly relative: boolean
}

/** What a package may import from outside, by package name: its `dependencies` in package.json. */
export type Dependencies = Readonly<Record<string, readonly string[]>>

/** All imports of all files. */
export function arrowsOf(files: readonly RepoFile[]): readonly Arrow[] {
  return files.flatMap((file) =>
    importsOf(parseSource(file)).map(({ specifier, line }) => {
      const relative = specifier.startsWith(".")
      const to = relative ? posix.join(posix.dirname(file.path), specifier) : ownFile(specifier)
      return { from: file.path, to, line, relative }
    }),
  )
}

/** Every import that the policy does not allow, one sentence each. */
export function policyProblems(files: readonly RepoFile[], dependencies: Dependencies): readonly string[] {
  const paths = new Set(files.map((file) => file.path))
  const misplaced = files
    .filter(
      ({ path }) => posix.basename(path) === "index.ts" && !indexFiles.some((allowed) => allowed.test(path)),
    )
    .map(({ path }) => `${path}: no index.ts inside a package; import the file that holds the name`)
  const unlisted = [...new Set(files.map(({ path }) => unlistedFolder(path)))].filter((text) => text !== "")
  const arrows = arrowsOf(files).flatMap((arrow) => {
    const problem = arrowProblem(arrow, { paths, dependencies })
    return problem === undefined ? [] : [`${arrow.from}:${arrow.line}: ${problem}`]
  })
  return [...misplaced, ...unlisted, ...arrows]
}

interface Place {
  readonly package: string
  readonly folder: string
}

interface Known {
  readonly paths: ReadonlySet<string>
  readonly dependencies: Dependencies
}

function arrowProblem(arrow: Arrow, known: Known): string | undefined {
  const from = placeOf(arrow.from)
  const to = placeOf(arrow.to)
  const isOurs = arrow.relative || (to !== undefined && fileDoors.includes(to.package))
  if (isOurs && !known.paths.has(arrow.to) && !isData(arrow.to)) return `no such file: ${arrow.to}`
  if (isTest(arrow.to)) return `${arrow.to} is a test; nothing imports a test`
  if (from === undefined) return outsiderProblem(arrow)
  if (to === undefined) return externalProblem(arrow, from, known.dependencies)
  if (isTesting(to.folder) && !mayUseTesting(arrow.from)) {
    return `${arrow.to} is for tests; only tests, benchmarks, tools and files in testing/ import it`
  }
  if (isAudit(arrow.to) && !isAudit(arrow.from) && !mayUseTesting(arrow.from)) {
    return `${arrow.to} is for auditors; nothing that serves a dataset imports it`
  }
  if (isOwners(arrow.to) && !isOwnersReader(arrow.from) && !mayUseTesting(arrow.from)) {
    return `${arrow.to} is for the owner's risk report; nothing that answers questions imports it`
  }
  if (from.package !== to.package) return packageProblem(arrow, from, to.package)
  if (!arrow.relative) return "inside a package, import the file by its path"
  if (from.folder === to.folder || from.folder === "index" || mayUseTesting(arrow.from)) return undefined
  const allowed = orderOf(from.package).get(from.folder)
  if (allowed?.has(to.folder) === true) return undefined
  return `${from.package}/${from.folder} may not import ${to.package}/${to.folder} (tools/rules/import-policy.ts)`
}

const betweenPackages = readOrder(packageOrder)
const insidePackages = new Map<string, ReturnType<typeof readOrder>>()

/** The order inside a package, read once. */
function orderOf(name: string): ReturnType<typeof readOrder> {
  const order = insidePackages.get(name) ?? readOrder(folderOrder[name] ?? [])
  insidePackages.set(name, order)
  return order
}

function packageProblem(arrow: Arrow, place: Place, to: string): string | undefined {
  const from = place.package
  if (arrow.relative) return `import another package by its name, @dosimeter/${to}`
  if (from === "web" && arrow.to === clientFile) return undefined
  // What a test asks about a lower package may be made by a higher one: plans to verify are the planner's.
  if (mayUseTesting(arrow.from) && purePackages.includes(from) && purePackages.includes(to)) return undefined
  if (isNarrow(place) && !mayUseTesting(arrow.from) && to !== "core" && to !== "proof") {
    return `${from}/${place.folder} is trusted, and may not import package ${to} (tools/rules/import-policy.ts)`
  }
  if (betweenPackages.get(from)?.has(to) === true) return undefined
  return `package ${from} may not import package ${to} (tools/rules/import-policy.ts)`
}

function isNarrow({ package: name, folder }: Place): boolean {
  return (narrowFolders[name] ?? []).some((place) => folder === place || folder.startsWith(`${place}/`))
}

function externalProblem(arrow: Arrow, place: Place, dependencies: Dependencies): string | undefined {
  const { to } = arrow
  const from = place.package
  const pure = purePackages.includes(from)
  if (arrow.relative) return `${to} lies outside the packages`
  if (to.startsWith("node:")) {
    if (pure && !/\.(node|deep)\.test\.ts$/.test(arrow.from))
      return `${from} runs in browsers too: no ${to} here`
    return undefined
  }
  if (builtinModules.includes(to)) return `write node:${to}`
  if (mayUseTesting(arrow.from)) return undefined
  const name = to.split("/", to.startsWith("@") ? 2 : 1).join("/")
  const room = libraryRooms[from]?.[name]
  if (room !== undefined && room !== place.folder) return `${name} is for ${from}/${room} alone`
  if (dependencies[from]?.includes(name) === true) return undefined
  return `${name} is not among the dependencies of ${from}`
}

/** Tools, benchmarks, examples and configuration: not part of any package. */
function outsiderProblem(arrow: Arrow): string | undefined {
  const { from, to } = arrow
  const top = from.split("/")[0] ?? ""
  if (top === "examples") {
    const own = from.split("/").slice(0, 2).join("/")
    if (arrow.relative && !to.startsWith(`${own}/`))
      return "an example imports packages by name, as a reader would"
    if (to.includes("/src/testing/")) return "an example does not use the testing helpers"
    return undefined
  }
  // Benchmarks use the browser and the bundler that the checks use; nothing that is shipped does.
  if (to.startsWith("tools/") && !["tools", "bench", "vitest.config.ts"].includes(top))
    return `${top} may not import tools`
  return undefined
}

function mayUseTesting(path: string): boolean {
  return isTest(path) || path.includes("/src/testing/")
}

function unlistedFolder(path: string): string {
  const place = placeOf(path)
  // A test beside index.ts is about the whole package.
  const isWhole = isTest(path) && posix.dirname(path).endsWith("/src")
  if (place === undefined || isWhole || place.folder === "index" || isTesting(place.folder)) return ""
  const listed = orderOf(place.package).has(place.folder)
  return listed ? "" : `${place.package}/${place.folder} is not in the table of tools/rules/import-policy.ts`
}

/** A folder is a path below `src`; a loose file is a layer of its own. Data beside code is of its folder. */
function placeOf(path: string): Place | undefined {
  const match = /^packages\/([^/]+)\/src\/(?:(.+)\/)?([^/]+)$/.exec(path)
  if (match?.[1] === undefined || match[3] === undefined) return undefined
  return { package: match[1], folder: match[2] ?? match[3].replace(/(\.[a-z]+)*\.tsx?$/, "") }
}

function isAudit(path: string): boolean {
  return path.startsWith(`${posix.dirname(auditFile)}/`)
}

function isOwners(path: string): boolean {
  return ownerFiles.some((pattern) => pattern.test(path))
}

function isOwnersReader(path: string): boolean {
  return ownerReaders.some((pattern) => pattern.test(path))
}

function isTesting(folder: string): boolean {
  return folder === "testing" || folder.startsWith("testing/")
}

function ownFile(specifier: string): string {
  const match = /^@dosimeter\/([a-z]+)(?:\/(.+))?$/.exec(specifier)
  if (match?.[1] === undefined) return specifier
  if (specifier === "@dosimeter/server/client") return clientFile
  if (specifier === "@dosimeter/engine/testing") return auditFile
  const [, owner, inner] = match
  if (inner === undefined) return `packages/${owner}/src/index.ts`
  return `packages/${owner}/src/${inner}${fileDoors.includes(owner) ? ".ts" : "/index.ts"}`
}

function isData(path: string): boolean {
  return path.endsWith(".json") || path.includes("/generated/")
}

/** Turns arrows between files into arrows between their folders, without those inside a folder. */
export function folderArrows(arrows: readonly Arrow[]): readonly Arrow[] {
  return arrows
    .filter(
      ({ from, to }) => placeOf(from) !== undefined && placeOf(to) !== undefined && !mayUseTesting(from),
    )
    .map((arrow) => ({ ...arrow, from: layerOf(arrow.from), to: layerOf(arrow.to) }))
    .filter(({ from, to }) => from !== to)
}

/** The folder of a file; a loose file, such as index.ts or errors.ts, is a layer by itself. */
function layerOf(path: string): string {
  const place = placeOf(path)
  return place === undefined ? posix.dirname(path) : `packages/${place.package}/src/${place.folder}`
}

/** Every import cycle, once, as a list of names that ends where it began. */
export function cyclesOf(arrows: readonly Arrow[]): readonly (readonly string[])[] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to))
  const cycles: string[][] = []
  const done = new Set<string>()
  const visit = (at: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(at)
    if (seen >= 0) {
      cycles.push([...trail.slice(seen), at])
      return
    }
    if (done.has(at)) return
    for (const to of next.get(at) ?? []) visit(to, [...trail, at])
    done.add(at)
  }
  for (const from of next.keys()) visit(from, [])
  return cycles
}

/** The files that no entry reaches by following imports. */
export function unreachable(
  files: readonly RepoFile[],
  isEntry: (path: string) => boolean,
): readonly string[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of arrowsOf(files)) next.set(from, [...(next.get(from) ?? []), to])
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    next.get(path)?.forEach(visit)
  }
  files.filter(({ path }) => isEntry(path)).forEach(({ path }) => visit(path))
  return files.map(({ path }) => path).filter((path) => !reached.has(path))
}
