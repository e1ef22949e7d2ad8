// The rules of a tidy repository, each a function from one parsed file to problems. The limits are a mirror:
// a justified exception is one line in tools/rules/tidy-exceptions.ts.

import { posix } from "node:path"
import ts from "typescript-api"
import { isTrusted, purePackages } from "./import-policy.ts"
import { isTest, type RepoFile } from "./repo.ts"
import { hasModifier, importsOf, lineOf, parseSource, topLevels, walk } from "./syntax.ts"

/** What is wrong, and where. */
export interface Problem {
  readonly rule: RuleName
  readonly file: string
  readonly line: number
  readonly what: string
}

interface Parsed extends RepoFile {
  readonly source: ts.SourceFile
  readonly isTest: boolean
  /** The package, or "" for tools and the like. */
  readonly package: string
  /** The folder below the package's `src`, such as `bind/calls`, or "". */
  readonly folder: string
}

type Found = readonly (readonly [line: number, what: string])[]

const limits = {
  sourceLines: 400,
  parserLines: 600,
  testLines: 800,
  function: 70,
  parameters: 4,
  imports: 18,
}
const lineWidthMax = 110
const headerLinesMax = 5
/** Per 1,000 lines of a package. */
const castsMax = 3

const rules = {
  "file-length": (file) => {
    const parser = ["parse", "print"].includes(file.folder.split("/")[0] ?? "")
    const max = file.isTest ? limits.testLines : parser ? limits.parserLines : limits.sourceLines
    const lines = lineCount(file.text)
    return lines > max ? [[max, `the file has ${lines} lines, and ${max} are allowed`]] : []
  },
  "function-length": (file) =>
    visitAll(file, (node) => {
      if (!ts.isFunctionLike(node) || isGroupOfTests(file, node)) return undefined
      const first = lineOf(file.source, node)
      const lines = file.source.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - first
      return lines > limits.function
        ? `the function has ${lines} lines, and ${limits.function} are allowed`
        : undefined
    }),
  parameters: (file) =>
    visitAll(file, (node) =>
      !file.isTest && ts.isFunctionLike(node) && node.parameters.length > limits.parameters
        ? `${node.parameters.length} parameters; above ${limits.parameters} take an options object`
        : undefined,
    ),
  imports: (file) => {
    const count = file.source.statements.filter((statement) => ts.isImportDeclaration(statement)).length
    return count > limits.imports ? [[1, `${count} imports, and ${limits.imports} are allowed`]] : []
  },
  any: (file) =>
    visitAll(file, (node) =>
      node.kind === ts.SyntaxKind.AnyKeyword ? "any is banned: say what it is" : undefined,
    ),
  "cast-in-trusted-base": (file) =>
    isTrusted(file.path)
      ? visitAll(file, (node) => (isCast(node) ? "no casts in the trusted base" : undefined))
      : [],
  "non-null": (file) =>
    visitAll(file, (node) =>
      ts.isNonNullExpression(node) ? "no `!`: handle the case, or assert what must hold" : undefined,
    ),
  enum: (file) =>
    visitAll(file, (node) => (ts.isEnumDeclaration(node) ? "no enum: a union of words" : undefined)),
  "default-export": (file) =>
    file.path.endsWith(".config.ts")
      ? []
      : visitAll(file, (node) =>
          ts.isExportAssignment(node) || hasModifier(node, ts.SyntaxKind.DefaultKeyword)
            ? "named exports only"
            : undefined,
        ),
  "weak-random": (file) =>
    visitAll(file, (node) =>
      isMember(node, "Math", "random") ? "take a RandomBits, never Math.random" : undefined,
    ),
  clock: (file) =>
    purePackages.includes(file.package) && !file.isTest
      ? visitAll(file, (node) =>
          readsClock(node) ? "pure packages read no clock: take the time as a value" : undefined,
        )
      : [],
  "time-limit": (file) =>
    file.isTest
      ? visitAll(file, (node) =>
          isTimeLimit(node)
            ? "no time limit of a test's own: vitest.config.ts has the one against hanging"
            : undefined,
        )
      : [],
  "float-math": (file) => (isTrusted(file.path) ? visitAll(file, floatMath) : []),
  "open-secret": (file) => (mayOpenSecrets(file.path) ? [] : secretProblems(file)),
  "charge-elsewhere": (file) =>
    /^packages\/engine\/src\/(release|ledger)\//.test(file.path) || !isShipped(file)
      ? []
      : visitAll(file, (node) =>
          isCallOf(node, "reserve")
            ? "charges are made in engine/release alone, from the bill of a proven plan"
            : undefined,
        ),
  "ask-elsewhere": (file) =>
    file.package !== "server" || file.folder === "questions" || !isShipped(file)
      ? []
      : visitAll(file, (node) =>
          asksEngine(node) ? "doors ask through server/questions, which records and holds back" : undefined,
        ),
  "banned-words": (file) =>
    file.text
      .split("\n")
      .flatMap((line, index) => bannedWords(line).map((what) => [index + 1, what] as const)),
  "line-width": (file) =>
    file.text.split("\n").flatMap((line, index) => {
      const width = widthOf(line)
      return width > lineWidthMax && !isWideByNature(line)
        ? [[index + 1, `${width} columns, and ${lineWidthMax} are allowed`] as const]
        : []
    }),
  documented: (file) => {
    if (file.package === "" || file.package === "web" || file.isTest) return []
    const documented = new Set(
      topLevels(file.source)
        .filter(({ doc }) => doc !== "")
        .map(({ name }) => name),
    )
    return topLevels(file.source)
      .filter(({ exported, name }) => exported && !documented.has(name))
      .map(
        ({ name, node }) =>
          [lineOf(file.source, node), `${name} is exported and has no doc comment`] as const,
      )
  },
  header: (file) => {
    if (file.isTest) return [] // A test is about the file beside it.
    const lines = file.text.split("\n")
    if (!/^(\/\/|\/\*)/.test(lines[0] ?? ""))
      return [[1, "the first thing in a file is a comment that says what it is"]]
    const header = lines.findIndex((line) => !line.startsWith("//"))
    return header > headerLinesMax
      ? [[1, `the opening comment has ${header} lines, and ${headerLinesMax} are allowed`]]
      : []
  },
  "file-name": (file) =>
    /^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(posix.basename(file.path))
      ? []
      : [[1, "file names are kebab-case"]],
  "statistical-test": (file) =>
    file.isTest && !file.path.endsWith(".stat.test.ts") && file.folder.split("/")[0] !== "testing"
      ? importsOf(file.source)
          .filter(({ specifier }) => /\/testing\/check-(sampler|privacy)\.ts$/.test(specifier))
          .map(({ line }) => [line, "only in x.stat.test.ts does its false-alarm rate count"] as const)
      : [],
  /** Over a package, not over a file: see castProblems. */
  casts: () => [],
  /** Over the repository: see tidy.test.ts. */
  "dead-file": () => [],
} satisfies Record<string, (file: Parsed) => Found>

/** The names of the rules, as the table of exceptions uses them. */
export type RuleName = keyof typeof rules

/** What is wrong with one file. */
export function tidyProblems(file: RepoFile): readonly Problem[] {
  const parsed = parse(file)
  return ruleNames().flatMap((rule) => {
    const found: Found = rules[rule](parsed)
    return found.map(([line, what]) => ({ rule, file: file.path, line, what }))
  })
}

/** Casts of a package above its allowance (`as const` and `satisfies` are none); tests do not count. */
export function castProblems(files: readonly RepoFile[]): readonly Problem[] {
  const parsed = files.map(parse).filter((file) => !file.isTest && file.package !== "")
  return [...new Set(parsed.map((file) => file.package))].flatMap((name): readonly Problem[] => {
    const own = parsed.filter((file) => file.package === name)
    const lines = own.reduce((sum, file) => sum + lineCount(file.text), 0)
    const casts = own.flatMap((file) =>
      visitAll(file, (node) => (isCast(node) ? "as" : undefined)).map(([line]) => `${file.path}:${line}`),
    )
    const allowed = Math.ceil((lines * castsMax) / 1000)
    if (casts.length <= allowed) return []
    const what = `${casts.length} casts in ${lines} lines, and ${allowed} are allowed: ${casts.join(", ")}`
    return [{ rule: "casts", file: `packages/${name}`, line: 0, what }]
  })
}

/** All rule names. */
export function ruleNames(): readonly RuleName[] {
  return Object.keys(rules).filter((name): name is RuleName => name in rules)
}

function parse(file: RepoFile): Parsed {
  const [, owner = "", folder = ""] = /^packages\/([^/]+)\/src\/(?:(.+)\/)?/.exec(file.path) ?? []
  return { ...file, source: parseSource(file), isTest: isTest(file.path), package: owner, folder }
}

function visitAll(file: Parsed, judge: (node: ts.Node) => string | undefined): Found {
  const found: [number, string][] = []
  walk(file.source, (node) => {
    const what = judge(node)
    if (what !== undefined) found.push([lineOf(file.source, node), what])
  })
  return found
}

function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
}

/** The function given to `describe`, which is as long as its tests are many. */
function isGroupOfTests(file: Parsed, node: ts.Node): boolean {
  return (
    file.isTest &&
    ts.isCallExpression(node.parent) &&
    /^describe\b/.test(node.parent.expression.getText(file.source))
  )
}

/** The folder that holds the key of Secrets, and the helpers of its tests. */
function mayOpenSecrets(path: string): boolean {
  return /^packages\/engine\/src\/(release|testing)\//.test(path)
}

/** Who takes the key, names it, or opens what needs it. Tools only write about it. */
function secretProblems(file: Parsed): Found {
  if (file.package === "") return []
  const wrapped = importsOf(file.source).some(({ specifier }) => /secret\/secret/.test(specifier))
  return [
    ...importsOf(file.source)
      .filter(({ specifier }) => /\brelease\/(paid-tables|read-exact)\b/.test(specifier))
      .map(({ line }) => [line, "what is read under a charge stays in engine/release"] as const),
    ...importsOf(file.source)
      .filter(({ specifier }) => /\brelease-key\b/.test(specifier))
      .map(({ line }) => [line, "only engine/release holds the key of secrets"] as const),
    ...visitAll(file, (node) =>
      wrapped && isCallOf(node, "open") ? "only engine/release opens a secret" : undefined,
    ),
  ]
}

function isShipped(file: Parsed): boolean {
  return file.package !== "" && !file.isTest && file.folder.split("/")[0] !== "testing"
}

function isCallOf(node: ts.Node, name: string): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === name
  )
}

/** A call of an engine that asks, explains or shows something: `engine.ask(...)`. */
function asksEngine(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    /\bengine\.(ask|explain|columns|plan|release|series\.(plan|create|update|show))$/.test(
      node.expression.getText(),
    )
  )
}

function isCast(node: ts.Node): boolean {
  return (
    (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) || ts.isTypeAssertionExpression(node)
  )
}

function isMember(node: ts.Node, object: string, name: string): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === object &&
    node.name.text === name
  )
}

function readsClock(node: ts.Node): boolean {
  const now = isMember(node, "Date", "now") || isMember(node, "performance", "now")
  const bare =
    ts.isNewExpression(node) && node.expression.getText() === "Date" && (node.arguments ?? []).length === 0
  return now || bare
}

/** What the language defines exactly or correctly rounded; all else in Math may differ between engines. */
const testCalls = /^(test|it|describe|beforeAll|beforeEach|afterAll|afterEach)\b/

/** A number after the body of a test, `timeout` in its options or in those of a poll, or vi.setConfig. */
function isTimeLimit(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) return /^(test|hook)?timeout$/i.test(node.name.getText())
  if (!ts.isCallExpression(node) || !testCalls.test(node.expression.getText())) return false
  const last = node.arguments.at(-1)
  return node.arguments.length > 1 && last !== undefined && ts.isNumericLiteral(last)
}

const exactMath = new Set(
  "abs ceil floor round trunc sign min max sqrt fround imul clz32 PI E LN2 LN10 SQRT2 LOG2E random".split(
    " ",
  ),
)

function floatMath(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node) || node.text !== "Math") return undefined
  const { parent } = node
  if (!ts.isPropertyAccessExpression(parent))
    return "write Math.name in full, so that the name can be checked"
  if (exactMath.has(parent.name.text)) return undefined
  return `Math.${parent.name.text} is not the same everywhere, nor rounded in a known direction`
}

function bannedWords(line: string): readonly string[] {
  const banned: readonly (readonly [RegExp, string])[] = [
    [/\bFIXME\b/, "FIXME: fix it, or write TODO(#n)"],
    [/\bTODO\b(?!\(#\d+\))/, "a TODO names its issue: TODO(#n)"],
    [/anonymized/i, 'nothing here is "anonymized": say released'],
  ]
  return banned.filter(([pattern]) => pattern.test(line)).map(([, what]) => what)
}

/** A line that the formatter cannot break: an address, or a long string. */
function isWideByNature(line: string): boolean {
  const withoutText = line.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)*'/g, '""')
  return /https?:\/\//.test(line) || widthOf(withoutText) <= lineWidthMax
}

/** Columns, counting a character outside the basic plane once. */
function widthOf(line: string): number {
  return line.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, "x").length
}
