// Exact tables for tests. They are paid for as everywhere, from a ledger in memory that nobody keeps, so
// tests need no way around the charge; nothing that is made of them may ever be shown to anybody.

import { budgetFor, type RandomBits } from "@dosimeter/core"
import { provenCatalog, type VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { VerifiedTraining } from "@dosimeter/proof/verify/verify-training"
import type { Backend } from "../dataset/backend.ts"
import type { DataVersion } from "../dataset/data-version.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { Bill } from "../release/bill.ts"
import { releaseKey } from "../release/key/release-key.ts"
import { PaidTables } from "../release/paid-tables.ts"
import { pay, type Permit } from "../release/permit.ts"
import { printed } from "../release/printed-plan.ts"
import { readExact, type ReadFrom } from "../release/read-exact.ts"
import {
  printedTraining,
  releaseTraining,
  type TrainingOptions,
  type TrainingSums,
} from "../release/release-training.ts"
import type { ExactTable } from "../release/secret/exact-table.ts"
import { Secret } from "../release/secret/secret.ts"

/** Pays for a plan. */
export async function permitOf(plan: VerifiedPlan, version: Pick<DataVersion, "name">): Promise<Permit> {
  const ledger = await openMemoryLedger({ dataset: plan.dataset })
  const budget = budgetFor({ epsilon: 10_000, delta: "0.1", accounting: plan.charge.accounting })
  await ledger.openAccount("dataset", budget)
  const payer = { principal: "a test", requestId: "1", accounts: [] }
  const permit = await pay(ledger, Bill.ofPlan(plan, { version, catalog: provenCatalog(plan) }), payer)
  await ledger.close()
  return permit
}

/** Pays for a plan, and reads it. */
export async function readPaid(plan: VerifiedPlan, from: ReadFrom): Promise<readonly PaidTables[]> {
  const permit = await permitOf(plan, from.version)
  return readExact(printed(plan, from.backend), permit, from, undefined)
}

/** What is inside; it cannot be released afterwards. */
export function openPaid(paid: readonly PaidTables[]): readonly ExactTable[] {
  return paid.flatMap((tables) => tables.take(releaseKey))
}

/** A reading that can be had again and again, for tests that need many draws of the same tables. */
export function againAndAgain(paid: readonly PaidTables[]): () => readonly PaidTables[] {
  const all = paid.map((tables) => ({
    release: tables.for,
    exact: tables.take(releaseKey).map((table) => new Secret(table)),
  }))
  return () => all.map(({ release, exact }) => new PaidTables(releaseKey, release, exact))
}

/** The tables of a plan, from a database that answers as it is told: one table for each extract. */
export async function paidTables(
  plan: VerifiedPlan,
  tables: readonly ExactTable[],
): Promise<readonly PaidTables[]> {
  return readPaid(plan, { backend: toldBackend(tables), version: toldVersion })
}

const toldVersion: DataVersion = { name: "told", secret: "", lasting: "", check: async () => {} }

function toldBackend(tables: readonly ExactTable[]): Backend {
  const left = [...tables]
  const nothing = (): never => {
    throw new Error("this database answers extracts only")
  }
  return {
    dialect: "duckdb",
    run: async () => new Secret(left.shift() ?? nothing()),
    unitListPath: nothing,
    makeUnitList: nothing,
    dropUnitList: nothing,
    readPublic: nothing,
    close: async () => {},
  }
}

/** Pays for a training, and reads it from a database that answers as it is told. */
export async function paidTraining<Ask>(
  training: VerifiedTraining,
  rows: ExactTable,
  { rng, ...options }: Pick<TrainingOptions<Ask>, "open" | "signal"> & { readonly rng: RandomBits },
): Promise<{ readonly sums: TrainingSums<Ask>; readonly permit: Permit }> {
  const permit = await trainingPermit(training)
  const from = { backend: toldBackend([rows]), version: toldVersion, rng }
  const reading = printedTraining(training, from.backend)
  return { sums: await releaseTraining(reading, permit, from, options), permit }
}

/** Pays for a training. */
export async function trainingPermit(training: VerifiedTraining): Promise<Permit> {
  const { plan, charge } = training
  const ledger = await openMemoryLedger({ dataset: plan.dataset })
  const budget = budgetFor({ epsilon: 10_000, delta: "0.1", accounting: charge.accounting })
  await ledger.openAccount("dataset", budget)
  const payer = { principal: "a test", requestId: "1", accounts: [] }
  const billed = { version: toldVersion, catalog: provenCatalog(plan) }
  const permit = await pay(ledger, Bill.ofTraining(training, "a rule", billed), payer)
  await ledger.close()
  return permit
}
