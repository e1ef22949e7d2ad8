// Holds the proofs to the code: a promise is complete, and its code is what somebody read it against.

import { expect, test } from "vitest"
import {
  fieldProblems,
  fingerprint,
  longProofs,
  missingPages,
  mustHaveProof,
  pageProblems,
  promisesOf,
  restampPage,
  stampProblems,
  strayPromises,
  type Stamps,
} from "./proof-check.ts"
import { openProofs } from "./proofs.ts"
import { readRepoFile } from "../rules/repo.ts"
import { parseSource } from "../rules/syntax.ts"

test("every promise of the repository is complete and was read against its present code", () => {
  expect(openProofs()).toEqual([])
})

const path = "packages/core/src/noise/a.ts"
const doc =
  "/**\n * Draws.\n *\n * Guarantee: g\n * Needs: n\n * Proof: p\n * Numerics: m\n * Source: s\n */\n"
const code = (body: string): string => `${doc}export function sampleA(x: number): number {\n  ${body}\n}\n`
const hash = (text: string): string => fingerprint(parseSource({ path, text }), ["sampleA"])

test("a promise needs its five fields, in their order", () => {
  expect(fieldProblems([{ path, text: code("return x") }])).toEqual([])
  for (const field of ["Guarantee", "Needs", "Proof", "Numerics", "Source"]) {
    const text = code("return x").replace(new RegExp(` \\* ${field}: .\n`), "")
    expect(fieldProblems([{ path, text }])).toHaveLength(1)
  }
  const swapped = code("return x").replace("Needs: n", "Proof: n").replace("Proof: p", "Needs: p")
  expect(fieldProblems([{ path, text: swapped }])[0]).toContain("order")
  const empty = code("return x").replace("Source: s", "Source:")
  expect(fieldProblems([{ path, text: empty }])[0]).toContain("Source:")
  expect(
    fieldProblems([{ path: "packages/core/src/errors/a.ts", text: "export function sampleA() {}" }]),
  ).toEqual([])
})

test("names say which exports must make a promise", () => {
  for (const name of [
    "sampleLaplace",
    "fillLaplace",
    "releaseKeys",
    "bernoulliExp",
    "uniformBelow",
    "lossOf",
  ]) {
    expect([name, mustHaveProof(path, name)]).toEqual([name, true])
  }
  expect(mustHaveProof(path, "laplaceLoss")).toBe(true)
  expect(mustHaveProof("packages/core/src/accounting/x.ts", "pureToZcdp")).toBe(true)
  expect(mustHaveProof("packages/core/src/accounting/convert.ts", "anything")).toBe(true)
  for (const name of ["samplerName", "filled", "releases", "showLaplace"]) {
    expect([name, mustHaveProof(path, name)]).toEqual([name, false])
  }
})

test("the fingerprint follows the program and nothing else", () => {
  const before = hash(code("return f(x, 1)"))
  expect(hash(code("// Why.\n  return f(\n    x,\n    1,\n  )"))).toBe(before)
  expect(hash(code("return f(x, 2)"))).not.toBe(before)
  expect(hash(code("return `a b${x}`"))).not.toBe(hash(code("return `a  b${x}`")))
})

test("the fingerprint covers the helpers of the file, at any depth, and nothing that is not used", () => {
  const file = (depth: string, other: string): string =>
    `${code("return help(x)")}const help = (x: number) => deeper(x)\nfunction deeper(x) { return ${depth} }\n${other}`
  const before = hash(file("x", ""))
  expect(hash(file("x + 1", ""))).not.toBe(before)
  expect(hash(file("x", "function unused() {}\ninterface X {}"))).toBe(before)
})

test("a change without a new stamp is found, and so are missing and idle stamps", () => {
  const now = promisesOf([{ path, text: code("return x") }])
  const key = `${path}#sampleA`
  expect(stampProblems(now, { [key]: now[0]?.fingerprint ?? "" })).toEqual([])
  expect(stampProblems(now, { [key]: "0" })[0]).toContain(
    "read the proof again, then run `npm run proofs -- stamp",
  )
  expect(stampProblems(now, {})[0]).toContain("has no stamp")
  expect(stampProblems([], { [key]: "0" })[0]).toContain("not there")
})

test("one token in the trusted base, changed behind its proof, is found", () => {
  const stamps: Stamps = JSON.parse(readRepoFile("tools/proofs/proofs.json").text)
  const places: readonly (readonly [string, string, string, string])[] = [
    ["packages/proof/src/verify/extracts/prove-extract.ts", "proveExtract", "most > 0n", "most >= 0n"],
    ["packages/proof/src/verify/check-charge.ts", "checkCharge", "!== 0 || compare", "> 0 || compare"],
    ["packages/engine/src/release/permit.ts", "Permit", "loss.delta) >= 0", "loss.delta) >= -1"],
    ["packages/engine/src/ledger/entries/account.ts", "takeUnits", "spent.delta <=", "spent.delta <"],
  ]
  for (const [file, name, from, to] of places) {
    const { text } = readRepoFile(file)
    const key = `${file}#${name}`
    const own = (changed: string): readonly string[] =>
      stampProblems(promisesOf([{ path: file, text: changed }]), stamps).filter((line) =>
        line.startsWith(`${key} `),
      )
    expect(own(text)).toEqual([])
    expect([file, text.includes(from)]).toEqual([file, true])
    expect(own(text.replace(from, to))[0]).toContain("changed after its proof was read")
  }
})

test("promises of members, of interfaces and of what is not exported need a stamp and five fields too", () => {
  const text = `class A {\n${doc}  #hidden(): number {\n    return 1\n  }\n}\n${doc}interface B {}\n${doc}function c() {}\n`
  const own = { path: "packages/engine/src/release/a.ts", text }
  expect(promisesOf([own]).map(({ name }) => name)).toEqual(["A.#hidden", "B", "c"])
  expect(strayPromises([own])).toEqual([])
  expect(fieldProblems([{ ...own, text: text.replaceAll(" * Needs: n\n", "") }])).toHaveLength(3)
  const print = (changed: string): string | undefined =>
    promisesOf([{ ...own, text: changed }]).find(({ name }) => name === "A.#hidden")?.fingerprint
  expect(print(text.replace("return 1", "return 2"))).not.toBe(print(text))
})

test("a promise that is no declaration's cannot be stamped, and is refused", () => {
  const text = `${code("return x")}// Guarantee: all is well.\nconst y = { z: 1 }\n`
  expect(strayPromises([{ path, text }])).toHaveLength(1)
  expect(strayPromises([{ path, text: code("return x") }])).toEqual([])
})

test("a proof page names what it proves, and is held to it", () => {
  const source = { path, text: code("return x") }
  const page = (text: string) => ({ path: "packages/core/src/noise/a.proof.md", text })
  const head = "# A\n\nproves: sampleA\nsource: 0\nchecked: 2020-01-01\n"
  expect(pageProblems(page(head), [source])[0]).toContain("changed; read the proof again")
  expect(pageProblems(page("# A"), [source])[0]).toContain("the head needs")
  expect(pageProblems(page(head.replace("sampleA", "gone")), [source])[0]).toContain("has no gone")
  expect(pageProblems(page(head), [])[0]).toContain("no source file")
  const stamped = page(restampPage(page(head), source, "2020-02-02"))
  expect(stamped.text).toContain("checked: 2020-02-02")
  expect(pageProblems(stamped, [source])).toEqual([])
})

test("a Proof field has at most six lines, in every package", () => {
  const withProof = (lines: number): string =>
    code("return x").replace("Proof: p", ["Proof: p", ...Array<string>(lines - 1).fill("  p")].join("\n * "))
  expect(longProofs([{ path, text: withProof(6) }])).toEqual([])
  const engine = "packages/engine/src/ledger/b.ts"
  expect(longProofs([{ path: engine, text: withProof(7) }])).toEqual([
    `${engine}:6: a proof of 7 lines is a page, b.proof.md beside it`,
  ])
  const inside = withProof(7).replaceAll(/^/gm, "  ")
  expect(longProofs([{ path, text: inside }])).toHaveLength(1)
})

test("a comment may not point to a proof page that is not there", () => {
  const source = { path, text: code("return x").replace("Proof: p", "Proof: see b.proof.md") }
  expect(missingPages([source], [])).toEqual([`${path}: there is no b.proof.md`])
  expect(missingPages([source], [{ path: "packages/core/src/noise/b.proof.md", text: "" }])).toEqual([])
})
