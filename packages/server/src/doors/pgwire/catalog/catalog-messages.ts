// The messages between the server and the process that holds the catalogs.

/** To the process: the statements that make the catalogs, once; then questions, one at a time. */
export type CatalogRequest =
  | { readonly kind: "open"; readonly statements: readonly string[] }
  | {
      readonly kind: "ask"
      readonly sql: string
      readonly asker: string
      /** The columns only. */
      readonly isDescribed: boolean
    }

/** From the process. Why something failed stays there. */
export type CatalogReply =
  | { readonly kind: "opened" }
  | {
      readonly kind: "rows"
      readonly columns: readonly { readonly name: string; readonly type: string }[]
      readonly rows: readonly (readonly (string | number | boolean | null)[])[]
    }
  | { readonly kind: "too-much" }
  | { readonly kind: "failed" }
