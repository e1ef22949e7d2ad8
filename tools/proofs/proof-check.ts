// Proofs beside the code: which functions must carry one, whether it is complete, and whether the code is
// still the code that was proved. A fingerprint covers a function and every helper of the same file that it
// uses, directly or through others; comments, spaces and types do not count.

import { createHash } from "node:crypto"
import { posix } from "node:path"
import ts from "typescript-api"
import type { RepoFile } from "../rules/repo.ts"
import { isTest } from "../rules/repo.ts"
import { declarations, parseSource, tokensOf, topLevels, walk, type Declared } from "../rules/syntax.ts"

/** The five fields of a proof, in their order. */
export const fields = ["Guarantee:", "Needs:", "Proof:", "Numerics:", "Source:"] as const

/** From `path#name` to the fingerprint that was current when somebody last read the proof. */
export type Stamps = Readonly<Record<string, string>>

/** A declaration whose doc comment makes a promise. */
export interface Promised {
  readonly key: string
  readonly name: string
  readonly path: string
  readonly fingerprint: string
}

/** The head of an `x.proof.md`. */
export interface ProofHead {
  readonly proves: readonly string[]
  readonly source: string
  readonly checked: string
}

/** Whether proofs are looked for in this file: in every source of every package. */
export function mayHoldProofs(path: string): boolean {
  return /^packages\/[a-z]+\/src\/(?!testing\/).+\.tsx?$/.test(path) && !isTest(path)
}

/** Whether an export of this name in this file must carry a proof. */
export function mustHaveProof(path: string, name: string): boolean {
  if (!/^packages\/core\/src\/(random|noise|mechanisms|accounting|local)\//.test(path)) return false
  if (/^(sample|fill|release|bernoulli|uniform|shuffled?|lossOf)(?![a-z])/.test(name)) return true
  if (/[a-z]Loss$/.test(name)) return true
  const accounting = path.includes("/accounting/")
  return accounting && (/^[a-z]+To[A-Z]|^convert/.test(name) || path.endsWith("/convert.ts"))
}

/** Everything in these files that makes a promise, with its present fingerprint. */
export function promisesOf(files: readonly RepoFile[]): readonly Promised[] {
  return files
    .filter(({ path }) => mayHoldProofs(path))
    .flatMap((file) => {
      const source = parseSource(file)
      return firstOfName(declarations(source).filter(({ doc }) => doc.includes("Guarantee:"))).map(
        ({ fullName: name }) => ({
          key: `${file.path}#${name}`,
          name,
          path: file.path,
          fingerprint: fingerprint(source, [name]),
        }),
      )
    })
}

/** Promises that belong to no declaration, so that no stamp can cover them. */
export function strayPromises(files: readonly RepoFile[]): readonly string[] {
  return files
    .filter(({ path }) => mayHoldProofs(path))
    .flatMap((file) => {
      const written = file.text.match(/^[ \t]*(\/\/|\*|\/\*\*)[ \t]*Guarantee:/gm)?.length ?? 0
      const docs = declarations(parseSource(file)).filter(({ doc }) => doc.includes("Guarantee:"))
      const covered = new Set(docs.map(({ node }) => node)).size
      return written > covered
        ? [`${file.path}: a Guarantee that is not the doc comment of a declaration`]
        : []
    })
}

/** What is wrong with the five fields in these files. */
export function fieldProblems(files: readonly RepoFile[]): readonly string[] {
  return files
    .filter(({ path }) => mayHoldProofs(path))
    .flatMap((file) =>
      firstOfName(declarations(parseSource(file))).flatMap(({ fullName: name, doc, node, exported }) => {
        const promised = doc.includes("Guarantee:")
        if (!promised && !(exported && isFunction(node) && mustHaveProof(file.path, name))) return []
        const missing = fields.filter((field) => !hasField(doc, field))
        if (missing.length > 0) return [`${file.path}#${name}: the doc comment lacks ${missing.join(", ")}`]
        const places = fields.map((field) => doc.indexOf(field))
        const ordered = places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))
        return ordered ? [] : [`${file.path}#${name}: the fields come in the order ${fields.join(" ")}`]
      }),
    )
}

/** Promises whose code changed since they were stamped, never were, or are gone. */
export function stampProblems(promised: readonly Promised[], stamps: Stamps): readonly string[] {
  const keys = new Set(promised.map(({ key }) => key))
  const gone = Object.keys(stamps).filter((key) => !keys.has(key))
  return [
    ...promised
      .filter(({ key, fingerprint: now }) => stamps[key] !== now)
      .map(({ key, name }) => {
        const what = stamps[key] === undefined ? "has no stamp" : "changed after its proof was read"
        return `${key} ${what}: read the proof again, then run \`npm run proofs -- stamp ${name}\``
      }),
    ...gone.map((key) => `${key} is stamped but not there: run \`npm run proofs -- prune\``),
  ]
}

/** What is wrong with one `x.proof.md`, given the sources beside it. */
export function pageProblems(page: RepoFile, files: readonly RepoFile[]): readonly string[] {
  const beside = files.find(({ path }) => path === page.path.replace(/\.proof\.md$/, ".ts"))
  if (beside === undefined) return [`${page.path}: there is no source file of the same name beside it`]
  const head = readHead(page.text)
  if (head === undefined)
    return [`${page.path}: the head needs the lines "proves:", "source:" and "checked:"`]
  const source = parseSource(beside)
  const known = new Set(declarations(source).map(({ fullName }) => fullName))
  const unknown = head.proves.filter((name) => !known.has(name))
  if (unknown.length > 0) return [`${page.path}: ${beside.path} has no ${unknown.join(", ")}`]
  if (head.source === fingerprint(source, head.proves)) return []
  const names = head.proves.join(" ")
  return [
    `${page.path}: ${names} changed; read the proof again, then run \`npm run proofs -- stamp ${names}\``,
  ]
}

/** The longest proof that a comment may hold, in lines; a longer one is a page. */
const proofLinesMax = 6

/** Proof fields, in any package, that are too long for a comment. */
export function longProofs(files: readonly RepoFile[]): readonly string[] {
  const others = fields.filter((field) => field !== "Proof:").join("|")
  const field = new RegExp(`^ *\\* Proof:.*\\n(?: *\\*(?!/| (?:${others})).*\\n)*`, "gm")
  return files
    .filter(({ path }) => path.startsWith("packages/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(field)].flatMap(({ 0: proof, index }) => {
        const lines = proof.split("\n").length - 1
        if (lines <= proofLinesMax) return []
        const line = text.slice(0, index).split("\n").length
        const page = posix.basename(path).replace(/\.tsx?$/, ".proof.md")
        return [`${path}:${line}: a proof of ${lines} lines is a page, ${page} beside it`]
      }),
    )
}

/** Proof pages that a comment points to and that do not exist. */
export function missingPages(files: readonly RepoFile[], pages: readonly RepoFile[]): readonly string[] {
  const known = new Set(pages.map(({ path }) => path))
  return files
    .filter(({ path }) => mayHoldProofs(path))
    .flatMap((file) =>
      [...file.text.matchAll(/[\w/.-]+\.proof\.md/g)].flatMap(([named]) => {
        const beside = posix.join(posix.dirname(file.path), named)
        const fromSource = posix.join(file.path.split("/").slice(0, 3).join("/"), named)
        return known.has(beside) || known.has(fromSource) ? [] : [`${file.path}: there is no ${named}`]
      }),
    )
}

/** Reads the head of a proof page; nothing if it is not complete. */
export function readHead(text: string): ProofHead | undefined {
  const line = (name: string): string | undefined => new RegExp(`^${name}: *(.+?) *$`, "m").exec(text)?.[1]
  const proves = line("proves")
  const source = line("source")
  const checked = line("checked")
  if (proves === undefined || source === undefined || checked === undefined) return undefined
  if (!/^\d{4}-\d{2}-\d{2}$/.test(checked)) return undefined
  return { proves: proves.split(",").map((name) => name.trim()), source, checked }
}

/** A proof page with a new fingerprint and date in its head. */
export function restampPage(page: RepoFile, source: RepoFile, today: string): string {
  const proves = readHead(page.text.replace(/^checked:.*$/m, `checked: ${today}`))?.proves ?? []
  return page.text
    .replace(/^source:.*$/m, `source: ${fingerprint(parseSource(source), proves)}`)
    .replace(/^checked:.*$/m, `checked: ${today}`)
}

/**
 * Sixteen hex digits over the named declarations and all values of the same file that they use. A member
 * stands for its whole class or interface.
 */
export function fingerprint(source: ts.SourceFile, members: readonly string[]): string {
  const names = members.map((name) => name.split(".")[0] ?? name)
  const values = topLevels(source).filter(({ isValue, name }) => isValue || names.includes(name))
  const wanted = new Set<string>()
  const want = (name: string): void => {
    if (wanted.has(name)) return
    wanted.add(name)
    for (const value of values.filter((candidate) => candidate.name === name)) {
      walk(value.node, (node) => {
        if (ts.isIdentifier(node) && values.some((candidate) => candidate.name === node.text)) want(node.text)
      })
    }
  }
  names.forEach(want)
  const nodes = new Set(values.filter(({ name }) => wanted.has(name)).map(({ node }) => node))
  const text = [...nodes].flatMap((node) => tokensOf(source, node)).join("\n")
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}

/** Of overloads the first. */
function firstOfName(all: readonly Declared[]): readonly Declared[] {
  return all.filter(({ fullName }, index) => all.findIndex((other) => other.fullName === fullName) === index)
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node)) return true
  if (!ts.isVariableStatement(node)) return false
  return node.declarationList.declarations.some(
    ({ initializer }) =>
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
  )
}

/** A field counts only at the start of a line of the comment, and with something between it and the next. */
function hasField(doc: string, field: string): boolean {
  const plain = doc.replace(/^\s*(\/\*\*|\*\/|\*)?[ \t]*/gm, "").replace(/\*\/$/, "")
  const after = new RegExp(`^${field}([^]*)`, "m").exec(plain)?.[1]
  if (after === undefined) return false
  const [own = ""] = after.split(new RegExp(`^(?:${fields.join("|")})`, "m"))
  return own.trim() !== ""
}
