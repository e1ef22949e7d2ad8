// `dosimeter receipts`: what was charged, by whom, for which plan; and the releases as a claim for others.

import { numberUp } from "@dosimeter/core"
import { findMeasurements, type Engine } from "@dosimeter/engine"
import { Option, type Command } from "commander"
import { ChargeList, withReceipt, type Charged } from "../../../answers/charge-list.ts"
import { claimText } from "../../../answers/claim.ts"
import { fail } from "../../../errors.ts"
import { withDataset } from "../session/dataset.ts"
import { pad, safeText, widthOf } from "../show/layout.ts"
import { costNumber } from "../show/numbers.ts"
import type { Session } from "../session/session.ts"

interface ReceiptFlags {
  readonly policy: string
  readonly json?: true
  readonly registry?: true
  readonly nist?: true
  readonly measurements?: string
}

/** Adds the command. */
export function addReceipts(program: Command, session: Session): void {
  program
    .command("receipts")
    .description("list what was charged, when, for whom and for which plan")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object, with every receipt in full")
    .addOption(new Option("--registry", "a record for the DP Deployments Registry (YAML)").conflicts("json"))
    .addOption(new Option("--nist", "the checklist of NIST SP 800-226").conflicts(["json", "registry"]))
    .addOption(
      new Option(
        "--measurements <entry>",
        "the noisy numbers behind the groupings of an entry, before they were made to add up (JSON)",
      ).conflicts(["json", "registry", "nist"]),
    )
    .addHelpText(
      "after",
      `
What only the owner knows (curators, purpose, access) is left to be filled in.

Examples:
  dosimeter receipts
  dosimeter receipts --json > receipts.json
  dosimeter receipts --registry > registry.yaml
  dosimeter receipts --nist > checklist.md
  dosimeter receipts --measurements 3 > measurements.json`,
    )
    .action(async (flags: ReceiptFlags) =>
      withDataset(session, flags.policy, async (engine) => {
        if (flags.measurements !== undefined) return showMeasurements(flags.measurements, engine, session)
        const records = await new ChargeList(engine.ledger).all()
        const charges = await Promise.all(records.map((record) => withReceipt(record, engine)))
        session.out(await shownAs(flags, charges, engine))
      }),
    )
}

async function shownAs(flags: ReceiptFlags, charges: readonly Charged[], engine: Engine): Promise<string> {
  if (flags.json === true) return `${JSON.stringify({ receipts: charges.map(chargeJson) }, null, 2)}\n`
  if (flags.registry !== true && flags.nist !== true) return listCharges(charges)
  return claimText(flags.registry === true ? "registry" : "nist", charges, engine)
}

/** What was measured for an entry, as the ledger has it: a release already, so it costs nothing more. */
async function showMeasurements(entry: string, { ledger }: Engine, session: Session): Promise<void> {
  const position = /^\d{1,15}$/.test(entry) ? BigInt(entry) : 0n
  const record = await new ChargeList(ledger).find(position)
  const text = record === undefined ? undefined : await findMeasurements(ledger, record)
  if (text === undefined) {
    const wanted = "an entry of `dosimeter receipts` with groupings that were measured together"
    fail("cli/bad-option", { option: "--measurements", got: entry, wanted })
  }
  session.out(`${text}\n`)
}

function chargeJson(charged: Charged): object {
  const { position, at, principal, planHash, outcome, charge, study, receipt } = charged
  return {
    position: Number(position),
    at,
    principal,
    planHash,
    outcome,
    study: study ?? null,
    accounting: charge.accounting,
    amount: numberUp(charge.amount),
    delta: numberUp(charge.delta),
    receipt,
  }
}

function listCharges(charges: readonly Charged[]): string {
  if (charges.length === 0) return "nothing was charged so far\n"
  const head = ["entry", "when (UTC)", "who", "study", "epsilon", "plan", "outcome"]
  const rows = charges.map(({ position, at, principal, study, planHash, charge, outcome }) => [
    `${position}`,
    at.slice(0, 16).replace("T", " "),
    safeText(principal),
    safeText(study ?? ""),
    "epsilon" in charge.shown ? costNumber(numberUp(charge.shown.epsilon)) : "",
    planHash.slice(0, 8),
    outcome,
  ])
  const used = head.map((_, column) => rows.some((row) => row[column] !== ""))
  const widths = head.map((name, column) =>
    Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? name))),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0, [0, 4].includes(column) ? "right" : "left"))
      .filter((_, column) => used[column] === true)
      .join("  ")
      .trimEnd()
  return `${[head, ...rows].map(line).join("\n")}\n`
}
