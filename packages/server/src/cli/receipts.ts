// `dosimeter receipts`: what was charged, by whom, for which plan; and the releases as a claim for others.

import {
  add,
  divide,
  exactly,
  gdpToEpsilon,
  numberUp,
  rational,
  sqrtUp,
  zcdpToEpsilon,
} from "@dosimeter/core"
import {
  nistChecklist,
  registryYaml,
  type DeploymentFacts,
  type Engine,
  type Receipt,
} from "@dosimeter/engine"
import type { Charge } from "@dosimeter/sql"
import { Option, type Command } from "commander"
import { withDataset } from "./dataset.ts"
import { pad, safeText, widthOf } from "./layout.ts"
import { costNumber } from "./numbers.ts"
import type { Session } from "./session.ts"
import { fieldOf } from "./show-budget.ts"

interface ReceiptFlags {
  readonly policy: string
  readonly json?: true
  readonly registry?: true
  readonly nist?: true
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
    .addHelpText(
      "after",
      `
What only the owner knows (curators, purpose, access) is left to be filled in.

Examples:
  dosimeter receipts
  dosimeter receipts --json > receipts.json
  dosimeter receipts --registry > registry.yaml
  dosimeter receipts --nist > checklist.md`,
    )
    .action(async (flags: ReceiptFlags) =>
      withDataset(session, flags.policy, async (engine) => {
        const charges = await chargesOf(engine)
        session.out(await shownAs(flags, charges, engine))
      }),
    )
}

async function shownAs(flags: ReceiptFlags, charges: readonly Charged[], engine: Engine): Promise<string> {
  if (flags.json === true) return `${JSON.stringify({ receipts: charges.map(chargeJson) }, null, 2)}\n`
  if (flags.registry !== true && flags.nist !== true) return listCharges(charges)
  const claim = {
    receipts: charges.flatMap(({ receipt }) => (isReceipt(receipt) ? [receipt] : [])),
    account: await engine.account(),
    about: toBeStated(engine.policy.dataset),
  }
  return flags.registry === true ? registryYaml(claim) : nistChecklist(claim)
}

/** A charge, what became of it, and its receipt. */
interface Charged {
  readonly position: bigint
  readonly at: string
  readonly principal: string
  readonly study: string | undefined
  readonly planHash: string
  readonly charge: Charge
  readonly outcome: "released" | "failed" | "waiting"
  readonly receipt: unknown
}

async function chargesOf({ ledger, policy }: Engine): Promise<readonly Charged[]> {
  const charges = new Map<bigint, Charged>()
  for (let from = 1n; ;) {
    const entries = await ledger.entries(from, 500)
    for (const { position, entry } of entries) {
      if (entry.kind === "charge") {
        const { at, principal, study, planHash, dataVersion, accounting, amount, delta } = entry
        const found = await ledger.find({ planHash, dataVersion })
        const receipt: unknown = found?.charge === position ? JSON.parse(found.receipt) : null
        const paid = { accounting, amount, delta }
        const charge = { ...paid, shown: shownIn(receipt) ?? shownOf(paid, policy.terms.question.delta) }
        charges.set(position, {
          position,
          at,
          principal,
          study,
          planHash,
          charge,
          outcome: "waiting",
          receipt,
        })
      } else if (entry.kind === "settlement") {
        const before = charges.get(entry.charge)
        if (before !== undefined) charges.set(entry.charge, { ...before, outcome: entry.outcome })
      }
    }
    if (entries.length < 500) return [...charges.values()]
    from += 500n
  }
}

/** The loss by itself, as the receipt has it. */
function shownIn(receipt: unknown): Charge["shown"] | undefined {
  const [epsilon, delta] = [fieldOf(receipt, "epsilon"), fieldOf(receipt, "delta")]
  if (typeof epsilon !== "string" || typeof delta !== "string") return undefined
  return { measure: "approx", epsilon: exactly(epsilon, "epsilon"), delta: exactly(delta, "delta") }
}

/** The same for a charge without a receipt, because nothing was answered. */
function shownOf(
  { accounting, amount, delta }: Omit<Charge, "shown">,
  ofQuestion: Charge["delta"],
): Charge["shown"] {
  // Half of delta is kept for keys where some are selected.
  const own = delta.numerator === 0n ? ofQuestion : divide(ofQuestion, rational(2n))
  switch (accounting) {
    case "pure":
      return { measure: "approx", epsilon: amount, delta }
    case "zcdp":
      return { measure: "approx", epsilon: zcdpToEpsilon(amount, own), delta: add(delta, own) }
    case "gdp":
      return { measure: "approx", epsilon: gdpToEpsilon(sqrtUp(amount), own), delta: add(delta, own) }
    default:
      return accounting satisfies never
  }
}

function chargeJson({ position, charge, study, receipt, ...rest }: Charged): object {
  return {
    position: Number(position),
    ...rest,
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

function isReceipt(value: unknown): value is Receipt {
  return fieldOf(value, "format") === "dosimeter-receipt/1"
}

/** What no ledger knows, marked so that nobody takes it for said. */
function toBeStated(dataset: string): DeploymentFacts {
  const open = "to be stated by the owner"
  return {
    slug: dataset.toLowerCase(),
    name: dataset,
    curators: [open],
    description: open,
    intendedUse: open,
    region: open,
    sector: open,
    publicationDate: open,
    dataDomain: open,
    actors: open,
    accessControl: open,
    collection: open,
  }
}
