// The compiled grammar, as far as it is used here. The package types only its own wrapper, which loads the
// WebAssembly by itself and fails to find it under bundlers.

declare module "libpg-query/wasm/libpg-query.js" {
  const factory: (options: {
    readonly locateFile?: () => string
    readonly wasmBinary?: Uint8Array
  }) => Promise<import("./grammar.ts").GrammarModule>
  export default factory
}
