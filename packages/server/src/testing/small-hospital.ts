// A small made-up hospital in a folder of its own, with values planted in it that no output may ever show.

import { withoutRandomText } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { makeHospital } from "../demo/hospital.ts"
import { runCommand } from "../main.ts"

/** A name, an id, an outlier and a rare disease: each belongs to one person only. */
export const canaries: readonly string[] = ["CANARY", "4242424242", "8675309"]

/** What a command wrote, and how it ended. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** A hospital to ask. */
export interface SmallHospital {
  readonly folder: string
  /** Runs a command in its folder; throws if a planted value comes out. */
  run(...args: readonly string[]): Promise<Ran>
  /** The same with something to read. */
  type(lines: string, ...args: readonly string[]): Promise<Ran>
  /** Changes the policy's text, and begins with a new ledger. */
  rewrite(change: (policy: string) => string): void
  remove(): void
}

/** The hospital as it was made, before anybody has asked: made once, and copied for each test file. */
let madeOnce: Promise<string> | undefined

/** Makes one of 500 persons. */
export async function smallHospital(): Promise<SmallHospital> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-hospital-"))
  madeOnce ??= makeOriginal()
  cpSync(await madeOnce, folder, { recursive: true })
  const policy = join(folder, "dosimeter.yaml")
  const original = readFileSync(policy, "utf8")
  return {
    folder,
    run: async (...args) => runIn(folder, args),
    type: async (lines, ...args) => runIn(folder, args, Readable.from([lines])),
    rewrite: (change) => {
      // Prepared copies stay: they are of the same data.
      for (const name of ["hospital.ledger", "hospital.ledger.anchor", "history"])
        rmSync(join(folder, ".dosimeter", name), { force: true })
      // And so does the key, without what it remembers of the ledger.
      const key = join(folder, ".dosimeter", "hospital.key")
      if (existsSync(key)) writeFileSync(key, readFileSync(key, "utf8").split("\n")[0] ?? "")
      writeFileSync(policy, change(original))
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

async function makeOriginal(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-hospital-"))
  await makeHospital(folder, { persons: 500 })
  await plant(join(folder, "hospital.duckdb"))
  return folder
}

async function runIn(folder: string, args: readonly string[], input?: Readable): Promise<Ran> {
  let [out, error] = ["", ""]
  const code = await runCommand(args, {
    folder,
    out: (text) => (out += text),
    error: (text) => (error += text),
    ...(input === undefined ? {} : { input }),
  })
  const shown = withoutRandomText(`${out}${error}`)
  const leaked = canaries.filter((canary) => shown.includes(canary))
  if (leaked.length > 0) throw new Error(`${args.join(" ")} wrote ${leaked.join(", ")}:\n${out}${error}`)
  return { code, out, error: withoutProgress(error) }
}

/** What a command said besides how long it takes, which it says on a busy machine only. */
export function withoutProgress(error: string): string {
  return error.replaceAll(/^.* \(\d+ s so far\)\n/gm, "")
}

async function plant(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(`
    UPDATE person SET person_source_value = 'CANARY name' WHERE person_id = (SELECT min(person_id) FROM person);
    INSERT INTO person VALUES (4242424242, 8507, 1950, 1, 1, 0, 0, 'CANARY name');
    INSERT INTO concept SELECT 4242, 'CANARY disease', domain_id, vocabulary_id, concept_class_id, 'S', 'CANARY',
      valid_start_date, valid_end_date, NULL FROM concept LIMIT 1;
    INSERT INTO condition_occurrence VALUES (-1, 4242424242, 4242, DATE '2020-01-01', 0, NULL);
    INSERT INTO measurement VALUES (-1, 4242424242, 3004410, DATE '2020-01-01', 0, 8554, 8675309, NULL)`)
  connection.closeSync()
  instance.closeSync()
}

/** What `ask --json` prints, as far as tests look at it. */
export interface AskedJson {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly Readonly<
    Record<string, { readonly value: number; readonly low: number; readonly high: number }>
  >[]
  readonly receipt: object
  readonly budget: {
    readonly spent: Readonly<Record<string, number>>
    readonly left: Readonly<Record<string, number>>
  }
}

/** What `explain --json` prints. */
export interface ExplainedJson {
  readonly cost: { readonly amount: number; readonly epsilon: number }
  readonly releases: readonly { readonly aggregates: readonly { readonly error: string }[] }[]
}

/** What `budget --json` prints. */
export interface AccountsJson {
  readonly dataset: string
  readonly accounts: readonly { readonly name: string; readonly spent: Readonly<Record<string, number>> }[]
}
