// Exact tables with the proven plan that they were read for: what was not read under a charge, or for another
// plan, cannot be released, and what was released once cannot be released again.

import { assert } from "@dosimeter/core/errors"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedTraining } from "@dosimeter/proof/verify/verify-training"
import type { VerifiedSeries } from "@dosimeter/proof/verify/verify-series"
import { ReleaseKey } from "./key/release-key.ts"
import type { ExactTable } from "./secret/exact-table.ts"
import type { Secret } from "./secret/secret.ts"

/**
 * Exact tables, and what they were read for.
 *
 * Guarantee: the tables of one reading are handed out once, so that one charge pays for one draw of noise.
 * Needs: whoever takes them draws at most once from them (releaseTables, releaseSteps; countPaid makes one
 *   reading of another; TrainingSums draws each sum as often as was charged). A permit gives one reading
 *   (Permit, StepsPermit).
 * Proof: `take` forgets the tables before it returns them, and stops where there are none. They are in a
 *   private field, so no copy of the object has them, and only `release` holds the key that makes another.
 * Numerics: none.
 * Source: this file.
 */
class Paid<For> {
  readonly for: For
  #tables: readonly Secret<ExactTable>[] | undefined

  constructor(key: ReleaseKey, what: For, tables: readonly Secret<ExactTable>[]) {
    assert(ReleaseKey.isOne(key), "only release reads under a charge")
    this.for = what
    this.#tables = tables
  }

  /** The exact tables, for who holds the key; once. */
  take(key: ReleaseKey): readonly ExactTable[] {
    const tables = this.#tables
    assert(tables !== undefined, "what was read for one charge is released once")
    const exact = tables.map((table) => table.open(key))
    this.#tables = undefined
    return exact
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

/** The rows of a training: the unit, where it has an id, then whole numbers. */
export class PaidUnits extends Paid<VerifiedTraining> {
  readonly kind = "units"
}
