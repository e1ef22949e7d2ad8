// Exact tables with the proven plan that they were read for: what was not read under a charge, or for another
// plan, cannot be released.

import { assert } from "@dosimeter/core/errors"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedSeries } from "@dosimeter/proof/verify/verify-series"
import { ReleaseKey } from "./key/release-key.ts"
import type { ExactTable } from "./secret/exact-table.ts"
import type { Secret } from "./secret/secret.ts"

/** Exact tables, and what they were read for. */
class Paid<For> {
  readonly for: For
  readonly #tables: readonly Secret<ExactTable>[]

  constructor(key: ReleaseKey, what: For, tables: readonly Secret<ExactTable>[]) {
    assert(ReleaseKey.isOne(key), "only release reads under a charge")
    this.for = what
    this.#tables = tables
  }

  /** The exact tables, for who holds the key. */
  open(key: ReleaseKey): readonly ExactTable[] {
    return this.#tables.map((table) => table.open(key))
  }
}

/** The tables of one release of a proven plan. */
export class PaidTables extends Paid<Release> {
  readonly kind = "release"
}

/** The table of all periods of a series. */
export class PaidPeriods extends Paid<VerifiedSeries> {
  readonly kind = "periods"
}

/** The rows of a series before they are added up: unit, period, amount. */
export class PaidRows extends Paid<VerifiedSeries> {
  readonly kind = "rows"
}
