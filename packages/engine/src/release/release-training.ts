// The rows of a training: read once under their charge, and never shown. What leaves are sums over units with
// noise, as many as were charged for; at a site of a federation, with a share of the noise.

import { setImmediate } from "node:timers/promises"
import { releaseShare, shareOf, type ShareSpec } from "@dosimeter/core/distributed"
import { assert } from "@dosimeter/core/errors"
import { releaseGaussian } from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import { printRel, type SqlText } from "@dosimeter/proof/print/print"
import type { VerifiedTraining } from "@dosimeter/proof/verify/verify-training"
import type { Backend } from "../dataset/backend.ts"
import { fail } from "../errors.ts"
import { BoundedSums, type UnitVectors } from "./bounded-sums.ts"
import { releaseKey } from "./key/release-key.ts"
import { PaidUnits } from "./paid-tables.ts"
import type { Permit } from "./permit.ts"
import type { ReleaseFrom } from "./release.ts"
import type { ExactTable } from "./secret/exact-table.ts"

/** A proven training with its SQL: nobody but `printedTraining` makes one. */
export type PrintedTraining = Printed

class Printed {
  readonly training: VerifiedTraining
  readonly #text: SqlText

  constructor(training: VerifiedTraining, text: SqlText) {
    this.training = training
    this.#text = text
  }

  get text(): SqlText {
    return this.#text
  }
}

/** Prints what a training reads; before its charge. */
export function printedTraining(
  training: VerifiedTraining,
  { dialect }: Pick<Backend, "dialect">,
): PrintedTraining {
  return new Printed(training, printRel(training.rows, dialect))
}

/** The rows as a learner gets them: one for each unit, a column at a time, in steps of the columns' grids. */
export interface UnitColumns {
  readonly units: number
  readonly columns: readonly Float64Array[]
}

/** A learner that has the rows, and says what each unit adds to what is asked. It lets nothing out itself. */
export interface OpenLearner<Ask> {
  vectorsOf(ask: Ask): UnitVectors
}

/** How it is read and worked on. */
export interface TrainingOptions<Ask> {
  readonly open: (rows: UnitColumns) => OpenLearner<Ask>
  /** At a site of a federation: how many honest sites share the noise. If left out, it is all drawn here. */
  readonly honest?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * The shares of a training's noise, one for each kind of its sums. Refused where shares would cost more than
 * the sums are charged (shareOf), or where they have no proven loss.
 */
export function sharesOfTraining(
  { sums, charge }: Pick<VerifiedTraining, "sums" | "charge">,
  honest: number,
): readonly ShareSpec[] {
  assert(charge.accounting === "zcdp", "shares of Gaussian noise have a proven loss in zCDP")
  return sums.map(({ spec, length }) => shareOf({ of: spec, exact: length, honest }))
}

/** Reads the rows of a training under its permit, for the sums that were charged. */
export async function releaseTraining<Ask>(
  reading: PrintedTraining,
  permit: Permit,
  from: ReleaseFrom,
  { open, honest, signal }: TrainingOptions<Ask>,
): Promise<TrainingSums<Ask>> {
  // Whatever is refused is refused before anything is read.
  const shares = honest === undefined ? undefined : sharesOfTraining(reading.training, honest)
  const paid = await readUnits(reading, permit, from, signal)
  const [rows] = paid.take(releaseKey)
  assert(rows !== undefined, "the rows of a training were read")
  const { training } = reading
  const columns = training.rows.columns.length - training.unitCount
  return new TrainingSums(training, { rng: from.rng, shares, signal }, open(unitColumns(rows, columns)), {
    units: rows.rows.length,
  })
}

// The permit is used before anything runs; rows come back with the training that they were paid for.
async function readUnits(
  { training, text }: PrintedTraining,
  permit: Permit,
  { backend, version }: ReleaseFrom,
  signal: AbortSignal | undefined,
): Promise<PaidUnits> {
  permit.useTraining(training)
  const { rows, unitCount } = training
  const areUnits = unitCount === 0 ? { areUnits: true as const } : {}
  const query = { sql: text, columns: rows.columns, keyCount: unitCount, groupCount: unitCount, ...areUnits }
  const { secret } = version
  const table = await backend.run(query, { secret, ...(signal === undefined ? {} : { signal }) })
  await version.check()
  return new PaidUnits(releaseKey, training, [table])
}

function unitColumns({ rows }: ExactTable, width: number): UnitColumns {
  const columns = Array.from({ length: width }, () => new Float64Array(rows.length))
  for (const [unit, { values }] of rows.entries()) {
    for (const [place, column] of columns.entries()) column[unit] = Number(values[place] ?? 0n)
  }
  return { units: rows.length, columns }
}

/** What noise is drawn from, and in which shares. */
interface DrawnWith {
  readonly rng: RandomBits
  readonly shares: readonly ShareSpec[] | undefined
  readonly signal: AbortSignal | undefined
}

/** Whoever else the process serves gets a turn after so many units, and after so many numbers of them. */
const unitsAtOnce = 20_000
const numbersAtOnce = 2 ** 22

/**
 * Noisy sums over the rows of a training.
 *
 * Guarantee: all that `answer` gives, however its asks were chosen from what it gave before, loses no more
 *   than training.charge. With shares, the same of all sums over what `honest` sites give, each for its own
 *   data, whatever else is added to a sum and whoever else is in it.
 * Needs: the rows were read for this training under its charge (releaseTraining), one for each unit. The
 *   vector of a unit is a function of its row and of the ask (the learner's promise; tests take a unit away
 *   and compare). The learner lets nothing out. What is given with shares leaves as part of such a sum only.
 * Proof: each sum is over units, of vectors of at most the length that its spec covers (BoundedSums), and
 *   leaves through releaseGaussian with that spec, or through releaseShare with a share of it, whose sum
 *   costs no more in rho (shareOf), and rho is what such a training is charged in (sharesOfTraining); each
 *   kind at most as often as was proven (verifyTraining), counted before it is worked out. Losses in rho add
 *   up for asks that follow from earlier sums, whichever sites were in those. Learner and rows are in
 *   private fields. The order of rows is that of the database: sums of whole numbers do not depend on it.
 * Numerics: integers.
 * Source: verifyTraining; lossOfShares.
 */
export class TrainingSums<Ask> {
  readonly #training: VerifiedTraining
  readonly #left: number[]
  readonly #learner: OpenLearner<Ask>
  readonly #units: number
  readonly #rng: RandomBits
  readonly #shares: readonly ShareSpec[] | undefined
  readonly #signal: AbortSignal | undefined

  constructor(
    training: VerifiedTraining,
    { rng, shares, signal }: DrawnWith,
    learner: OpenLearner<Ask>,
    { units }: { readonly units: number },
  ) {
    this.#training = training
    this.#left = training.sums.map(({ count }) => count)
    this.#learner = learner
    this.#units = units
    this.#rng = rng
    this.#shares = shares
    this.#signal = signal
  }

  /** Nothing of the rows. */
  toJSON(): string {
    return "[secret]"
  }

  /** The noisy sums of an ask, of one of the kinds that were charged. */
  async answer(kind: number, ask: Ask): Promise<readonly bigint[]> {
    const planned = this.#training.sums[kind]
    const left = this.#left[kind] ?? 0
    assert(planned !== undefined && left >= 1, "sums of a training are released as often as was charged")
    this.#left[kind] = left - 1
    const vectors = this.#learner.vectorsOf(ask)
    assert(vectors.length === planned.length, "sums have as many numbers as was charged")
    const sums = new BoundedSums(vectors, planned.bound)
    const atOnce = Math.min(unitsAtOnce, Math.ceil(numbersAtOnce / planned.length))
    for (let unit = 0; unit < this.#units; unit += 1) {
      sums.add(unit)
      if ((unit + 1) % atOnce === 0) await this.#turn()
    }
    await this.#turn()
    if (this.#shares === undefined) return releaseGaussian(planned.spec, sums.total(), this.#rng)
    const share = this.#shares[kind]
    assert(share !== undefined, "every kind of sums has a share")
    return releaseShare(share, sums.total(), this.#rng)
  }

  async #turn(): Promise<void> {
    await setImmediate()
    if (this.#signal?.aborted === true) fail("backend/cancelled", {})
  }
}
