// The grammar for tests, in Node and in a browser.

import { loadGrammar, type Grammar } from "../parse/grammar.ts"

/** Loads it, from the address that Vite gives to the WebAssembly when there is a page. */
export async function testGrammar(): Promise<Grammar> {
  if (!("document" in globalThis)) return loadGrammar()
  const { default: url } = await import("libpg-query/wasm/libpg-query.wasm?url")
  return loadGrammar({ url })
}
