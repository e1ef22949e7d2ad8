// The Trino of the tests: tools/trino starts it, and says where it is.

/** Where the server is. Its catalogs are `lake` (Iceberg), `memory` and `tpch`. */
export interface TrinoOfTests {
  readonly url: string
  /** Where a password, token or certificate is asked for. */
  readonly securedUrl: string
  /** The folder of keys: see tools/trino/trino-keys.ts. */
  readonly keys: string
}

/** The server that the environment names. */
export function trinoOfTests(): TrinoOfTests {
  return {
    url: named("DOSIMETER_TEST_TRINO"),
    securedUrl: named("DOSIMETER_TEST_TRINO_SECURED"),
    keys: named("DOSIMETER_TEST_TRINO_KEYS"),
  }
}

function named(variable: string): string {
  const value = process.env[variable] ?? ""
  if (value === "") throw new Error(`${variable} is not set: npm run test:deep -- trino`)
  return value
}
