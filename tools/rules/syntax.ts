// What the checks ask of TypeScript sources, answered from the syntax tree. TypeScript 7 has no JavaScript
// interface, so the tree comes from an older compiler, installed under the name `typescript-api`.

import ts from "typescript-api"
import type { RepoFile } from "./repo.ts"

/** Where one file names another: the text between the quotes and the line. */
export interface ImportSite {
  readonly specifier: string
  readonly line: number
}

/** A top-level declaration that has a name. */
export interface TopLevel {
  readonly name: string
  readonly node: ts.Node
  readonly exported: boolean
  /** False for interfaces and type aliases, which vanish when the program runs. */
  readonly isValue: boolean
  /** The doc comment directly before it, or "". */
  readonly doc: string
}

const parsed = new Map<string, ts.SourceFile>()

/** Parses one file. Several checks ask for the same ones, and parsing is most of their work. */
export function parseSource(file: RepoFile): ts.SourceFile {
  const known = parsed.get(file.path)
  if (known?.text === file.text) return known
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true)
  parsed.set(file.path, source)
  return source
}

/** Calls `visit` for every node below and including `node`. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** The line of a node, counted from 1. */
export function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
}

/** All imports of a file: static, re-exported, dynamic and in types; type imports included. */
export function importsOf(source: ts.SourceFile): readonly ImportSite[] {
  const known = imports.get(source)
  if (known !== undefined) return known
  const found: ImportSite[] = []
  walk(source, (node) => {
    const specifier = specifierOf(node)
    if (specifier !== undefined) found.push({ specifier: specifier.text, line: lineOf(source, specifier) })
  })
  imports.set(source, found)
  return found
}

/** Several rules ask for the imports of the same file. */
const imports = new WeakMap<ts.SourceFile, readonly ImportSite[]>()

function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)
      ? node.moduleSpecifier
      : undefined
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const first = node.arguments[0]
    return first !== undefined && ts.isStringLiteralLike(first) ? first : undefined
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return ts.isStringLiteral(node.argument.literal) ? node.argument.literal : undefined
  }
  return ts.isNewExpression(node) ? workerOf(node) : undefined
}

/** The file of `new Worker(new URL("./file.ts", import.meta.url))`, as bundlers understand it. */
function workerOf({ expression, arguments: given }: ts.NewExpression): ts.StringLiteralLike | undefined {
  const url = given?.[0]
  if (expression.getText() !== "Worker" || url === undefined || !ts.isNewExpression(url)) return undefined
  const path = url.arguments?.[0]
  return path !== undefined && ts.isStringLiteralLike(path) ? path : undefined
}

/** The named top-level declarations of a file, in order; overloads each count. */
export function topLevels(source: ts.SourceFile): readonly TopLevel[] {
  return source.statements.flatMap((statement): readonly TopLevel[] => {
    const doc = docOf(source, statement)
    const exported = hasModifier(statement, ts.SyntaxKind.ExportKeyword)
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap((declaration) =>
        boundNames(declaration.name).map((name) => ({ name, node: statement, exported, isValue: true, doc })),
      )
    }
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      const name = statement.name?.text
      return name === undefined ? [] : [{ name, node: statement, exported, isValue: true, doc }]
    }
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      return [{ name: statement.name.text, node: statement, exported, isValue: false, doc }]
    }
    return []
  })
}

/** A named declaration: at the top of a file, or a member of a class or an interface there. */
export interface Declared extends TopLevel {
  /** The name with that of its class or interface before it: `Ledger.reserve`. */
  readonly fullName: string
}

/** All named declarations of a file, members of classes and interfaces included. */
export function declarations(source: ts.SourceFile): readonly Declared[] {
  return topLevels(source).flatMap((top): readonly Declared[] => {
    const own = { ...top, fullName: top.name }
    const { node } = top
    if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) return [own]
    const members = [...node.members].map((member): Declared => {
      const name = member.name?.getText(source) ?? "constructor"
      return { ...top, name, node: member, doc: docOf(source, member), fullName: `${top.name}.${name}` }
    })
    return [own, ...members]
  })
}

/** Whether a statement carries a modifier such as `export` or `default`. */
export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind)
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))
}

function docOf(source: ts.SourceFile, node: ts.Node): string {
  const ranges = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []
  const last = ranges.at(-1)
  if (last === undefined) return ""
  const text = source.text.slice(last.pos, last.end)
  return text.startsWith("/**") ? text : ""
}

/**
 * The tokens of a node without comments and spaces, and without commas before a closing bracket: what is left
 * changes when the program changes, and not when the formatter breaks a line elsewhere.
 */
export function tokensOf(source: ts.SourceFile, node: ts.Node): readonly string[] {
  const tokens: string[] = []
  const collect = (part: ts.Node): void => {
    if (ts.isJSDoc(part)) return
    const children = part.getChildren(source)
    if (children.length > 0) {
      children.forEach(collect)
      return
    }
    const text = part.getText(source)
    if (text === "") return
    if (/^[)\]}]$/.test(text) && tokens.at(-1) === ",") tokens.pop()
    tokens.push(text)
  }
  collect(node)
  return tokens
}

/** The titles of the tests and groups of a file; of a template the text as written. */
export function testTitles(source: ts.SourceFile): readonly string[] {
  const titles: string[] = []
  walk(source, (node) => {
    if (!ts.isCallExpression(node) || !/^(test|it|describe)\b/.test(node.expression.getText(source))) return
    const first = node.arguments[0]
    if (first === undefined) return
    if (ts.isStringLiteralLike(first)) titles.push(first.text)
    else if (ts.isTemplateExpression(first)) titles.push(first.getText(source))
  })
  return titles
}
