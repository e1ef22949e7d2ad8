// The PostgreSQL grammar (libpg-query, WebAssembly), loaded once and called with text. All offsets that leave
// this file are UTF-16: the grammar's bytes and code points are converted here and nowhere else.
/// <reference path="./libpg-query.d.ts" />

import factory from "libpg-query/wasm/libpg-query.js"
import { errorOf, fail } from "../errors.ts"
import { forGrammar } from "../text/for-grammar.ts"
import { sourceText, type SourceText } from "../text/source.ts"
import { tokensOf, type RawToken, type Tokens } from "./tokens.ts"
import { settleTree, type Json } from "./tree.ts"

/** The functions of the compiled grammar that are called here. */
export interface GrammarModule {
  lengthBytesUTF8(text: string): number
  stringToUTF8(text: string, pointer: number, bytes: number): void
  UTF8ToString(pointer: number): string
  getValue(pointer: number, type: "i32"): number
  _malloc(bytes: number): number
  _free(pointer: number): void
  _wasm_parse_query_raw(text: number): number
  _wasm_free_parse_result(result: number): void
  _wasm_scan(text: number): number
  _wasm_free_string(text: number): void
}

/** Where the WebAssembly is. Node finds it beside the library and needs neither. */
export interface GrammarLocation {
  /** Its address, in a browser: with Vite, `libpg-query/wasm/libpg-query.wasm?url`. */
  readonly url?: string
  /** Its bytes, for programs that are bundled into one file. */
  readonly bytes?: Uint8Array
}

/** What the grammar makes of a text: its tokens, and one tree for each statement. */
export interface Parsed {
  readonly tokens: Tokens
  readonly statements: readonly Json[]
}

/** The grammar, ready to be called; synchronous from here on. */
export interface Grammar {
  /** Throws `sql/syntax` or `sql/too-deep`. */
  parse(source: SourceText): Parsed
  /** What the grammar's own lexer finds in a text as it is, slow as it may be; undefined at an error. */
  scan(source: SourceText): Tokens | undefined
}

let loaded: Promise<Grammar> | undefined

/** Loads the grammar. Later calls return the first one's grammar, wherever they say it is. */
export function loadGrammar(location: GrammarLocation = {}): Promise<Grammar> {
  loaded ??= load(location).catch((error: unknown) => {
    loaded = undefined // So that a page that was offline can try again.
    throw error
  })
  return loaded
}

async function load({ url, bytes }: GrammarLocation): Promise<Grammar> {
  const module = await factory({
    ...(url === undefined ? {} : { locateFile: () => url }),
    ...(bytes === undefined ? {} : { wasmBinary: bytes }),
  })
  return grammarOf(module)
}

/** A grammar on a module that has been loaded already. */
export function grammarOf(module: GrammarModule): Grammar {
  return {
    scan: (source) => scan(module, source),
    parse: (asked) => {
      const prepared = forGrammar(asked.text)
      if (prepared.kind === "wrong") throw errorOf("sql/syntax", { reason: prepared.reason }, prepared.at)
      // As long in UTF-16: places in the one are places in the other.
      const source = prepared.text === asked.text ? asked : sourceText(prepared.text)
      const tokens = scan(module, source)
      // Without tokens the text has a lexical error, which the parser reports with its place.
      if (tokens !== undefined && tokens.depthBound > depthBoundMax) fail("sql/too-deep", {}, tokens.deepest)
      const outcome = guarded(() => parseRaw(module, source.text))
      if (outcome.kind === "error") throw syntaxError(outcome, source, tokens)
      const { stmts }: { readonly stmts?: readonly Json[] } = readJson(outcome.json)
      const statements = stmts ?? []
      if (tokens === undefined) {
        // The scanner has nothing to say about an empty text; otherwise the two must agree.
        return statements.length === 0
          ? { tokens: tokensOf([], source), statements }
          : fail("sql/grammar-failed", {})
      }
      if (!settleTree(statements, source)) fail("sql/too-deep", {})
      return { tokens, statements }
    },
  }
}

/**
 * The grammar prints its tree by recursion and overflows the stack at some 5,000 levels, which leaves its
 * memory in disorder. The tokens give an upper bound of the depth beforehand.
 */
const depthBoundMax = 1_500
const reasonLengthMax = 200

type Outcome =
  | { readonly kind: "tree"; readonly json: string }
  | { readonly kind: "error"; readonly message: string; readonly codePoint: number }

function parseRaw(module: GrammarModule, text: string): Outcome {
  const pointer = store(module, text)
  const result = module._wasm_parse_query_raw(pointer)
  const [tree, error] = [module.getValue(result, "i32"), module.getValue(result + 8, "i32")]
  const outcome: Outcome =
    error === 0
      ? { kind: "tree", json: module.UTF8ToString(tree) }
      : {
          kind: "error",
          message: module.UTF8ToString(module.getValue(error, "i32")),
          codePoint: module.getValue(error + 16, "i32") - 1,
        }
  module._free(pointer)
  module._wasm_free_parse_result(result)
  return outcome
}

function scan(module: GrammarModule, source: SourceText): Tokens | undefined {
  const json = guarded(() => {
    const pointer = store(module, source.text)
    const result = module._wasm_scan(pointer)
    const text = module.UTF8ToString(result)
    module._free(pointer)
    module._wasm_free_string(result)
    return text
  })
  if (!json.startsWith("{")) return undefined // An error message, and without a place.
  // The scanner writes control characters as they are, which is no JSON; the places do not depend on them.
  const clean = json.replace(/\p{Cc}/gu, " ")
  const { tokens }: { readonly tokens: readonly RawToken[] } = readJson(clean)
  return tokensOf(tokens, source)
}

/** Reads what the grammar printed. The caller states its shape; pg-node.ts checks every field of a tree. */
function readJson<T>(json: string): T {
  return guarded((): T => {
    const value: T = JSON.parse(json)
    return value
  })
}

function store(module: GrammarModule, text: string): number {
  const bytes = module.lengthBytesUTF8(text) + 1
  const pointer = module._malloc(bytes)
  module.stringToUTF8(text, pointer, bytes)
  return pointer
}

/** Whatever the compiled code throws (a trap, an overflow of the stack) is a failure that we explain. */
function guarded<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof RangeError ? errorOf("sql/too-deep", {}) : errorOf("sql/grammar-failed", {})
  }
}

function syntaxError(
  { message, codePoint }: { readonly message: string; readonly codePoint: number },
  source: SourceText,
  tokens: Tokens | undefined,
): Error {
  const start = source.fromCodePoint(codePoint)
  const end = tokens?.tokenAt(start)?.end ?? source.fromCodePoint(codePoint + 1)
  const at = codePoint < 0 ? undefined : { start, end: Math.max(start, end) }
  if (message.startsWith("memory exhausted")) return errorOf("sql/too-deep", {}, at)
  const line = message.replace(/\s+/g, " ")
  const reason = line.length > reasonLengthMax ? `${line.slice(0, reasonLengthMax)}...` : line
  return errorOf("sql/syntax", { reason }, at)
}
