// A dataset's releases as a claim for others to judge: in the form of the Differential Privacy Deployments
// Registry, and along the ten points of NIST SP 800-226. Both are texts made from receipts, the account and
// what the owner says.

import { scaledWords } from "@dosimeter/answers/shown/scaled-words"
import { odometerOf } from "@dosimeter/core"
import { showCharge, type Account } from "../ledger/entries/account.ts"
import type { Receipt } from "@dosimeter/answers/shown/receipt"
import { showUp } from "../ledger/entries/units.ts"

/** What no ledger knows: the owner says it. */
export interface DeploymentFacts {
  /** The address of the record: "ward-statistics-example-hospital-2026". */
  readonly slug: string
  readonly name: string
  readonly curators: readonly string[]
  readonly description: string
  readonly intendedUse: string
  readonly region: string
  readonly sector: string
  /** YYYY-MM-DD. */
  readonly publicationDate: string
  /** What a record of the data holds, in words. */
  readonly dataDomain: string
  /** Who sees exact data, and who does what. */
  readonly actors: string
  readonly accessControl: string
  /** Consent, retention. */
  readonly collection: string
}

/** All that a claim is made from. */
export interface Claim {
  readonly receipts: readonly Receipt[]
  /** The dataset's account. */
  readonly account: Account
  readonly about: DeploymentFacts
}

type Yaml = string | readonly string[] | { readonly [key: string]: Yaml }

/** A record for the Differential Privacy Deployments Registry, tier 3, as YAML; its status is Draft. */
export function registryYaml(claim: Claim): string {
  const { about, account } = claim
  const record: Yaml = {
    url_slug: about.slug,
    status: "Draft",
    tier: "3",
    deployment: {
      basic: {
        name: about.name,
        data_curators: about.curators,
        description: about.description,
        intended_use: about.intendedUse,
        data_product_type: "SQL queries",
        data_product_region: about.region,
        publication_date: about.publicationDate,
        data_product_sector: about.sector,
      },
      dp_variant: {
        variant_name: variantNames[account.budget.accounting],
        data_domain: about.dataDomain,
        unprotected_quantities: paragraph(publicOf(claim)),
      },
      privacy_loss: {
        privacy_unit: `${unitOf(claim)}-level`,
        privacy_unit_details: unitDetails(claim),
        privacy_parameters: parameters(account),
      },
      deployment_model: {
        model_name: "Central",
        actors: about.actors,
        release_type: "Many releases",
        data_source_type: dataVersions(claim).length > 1 ? "Dynamic" : "Static",
        access_type: "Interactive",
      },
      accounting: { post_processing: postProcessing, composition: composition(claim) },
      implementation: {
        preprocessing_and_hyperparameter_tuning: tuning,
        mechanisms: paragraph(mechanismsOf(claim)),
        justification:
          "Mechanisms, scales and losses are chosen from the query and the policy, before data is read.",
      },
    },
  }
  return yamlOf(record, 0)
}

/** The ten points that a claim must state (NIST SP 800-226), as Markdown. */
export function nistChecklist(claim: Claim): string {
  const { account, about, receipts } = claim
  const { budget } = account
  const points: readonly (readonly [string, readonly string[]])[] = [
    [
      "Definition and parameters",
      [`${variantNames[budget.accounting]}: ${promise(account)}`, spentWords(account)],
    ],
    ["Unit of privacy", [unitDetails(claim)]],
    ["Contribution bounds, and what was dropped", boundsOf(claim)],
    ["Released without noise", publicOf(claim)],
    ["Composition", [composition(claim)]],
    [
      "Mechanisms, library, arithmetic, noise",
      [...mechanismsOf(claim), ...distinct(receipts.map((r) => r.library)), arithmetic],
    ],
    ["Trust model", ["central: a curator holds the data and answers questions", about.actors]],
    ["Security and access control", [about.accessControl, ledgerWords(claim)]],
    ["Utility and bias", utilityOf(claim)],
    ["Data collection", [about.collection]],
  ]
  const body = points.map(([title, lines], index) => {
    const items = lines.length === 0 ? ["none so far"] : lines
    return `## ${index + 1}. ${title}\n\n${items.map((line) => `- ${oneLine(line)}`).join("\n")}\n`
  })
  const head = `# ${oneLine(about.name)}: NIST SP 800-226 checklist\n\n${receipts.length} releases.\n`
  return [head, ...body].join("\n")
}

const variantNames = { pure: "Pure", zcdp: "Zero-concentrated", gdp: "Custom" } as const

const postProcessing =
  "HAVING, ORDER BY, LIMIT and arithmetic on results run on the noisy table; a repeated question returns its record."
const tuning =
  "None on the data: bounds, keys and scales come from the policy, the query or key selection with its loss."
const arithmetic =
  "exact: integer noise from the system's cryptographic source on integer sums; losses are fractions, rounded up"

function promise({ budget }: Account): string {
  const { epsilon, delta } = budget
  return `all answers together are private with epsilon ${showUp(epsilon)} and delta ${showUp(delta)}`
}

function spentWords(account: Account): string {
  const { epsilon } = odometerOf(account)
  const { accounting } = account.budget
  const spent = showCharge({ accounting, amount: account.spent, delta: account.deltaSpent })
  return `spent so far: ${spent}, which is epsilon ${showUp(epsilon)} at the budget's delta`
}

function parameters({ budget }: Account): Yaml {
  const { epsilon, delta, limit } = budget
  const both = { epsilon: showUp(epsilon), delta: showUp(delta) }
  return limit.measure === "zcdp" ? { ...both, rho: showUp(limit.rho) } : both
}

function unitOf({ receipts }: Claim): string {
  return distinct(receipts.map(({ unit }) => unit)).join(", ") || "person"
}

function unitDetails(claim: Claim): string {
  const relations = distinct(claim.receipts.map(({ neighbours }) => neighbours))
  const words = relations.map((one) => (one === "replace" ? "replaced by another" : "added or removed"))
  const how = words.length === 0 ? "added or removed" : words.join(" or ")
  return `one ${unitOf(claim)} with all its records, for the lifetime of the dataset; neighbours: one is ${how}`
}

function boundsOf({ receipts }: Claim): readonly string[] {
  return distinct(
    receipts.flatMap(({ bounding }) =>
      bounding.map(({ groupsPerUnit, rowsPerGroup, groupsProof, rowsProof, scaled, norm, scaledTo }) => {
        if (norm !== undefined) {
          const parts = scaledTo === undefined ? "" : scaledWords(scaledTo)
          return `all that a unit adds is scaled to at most ${norm}${parts === "" ? "" : `; ${parts}`}`
        }
        if (scaled !== undefined) {
          const size = `${rowsPerGroup} rows in each of ${groupsPerUnit} groups`
          return scaled === "l1"
            ? `all that a unit adds is scaled to at most what ${size} add up to`
            : `all that a unit adds is scaled to at most the length of ${size}, as a vector`
        }
        const proofs = [groupsProof, rowsProof].filter((proof) => proof !== undefined)
        const why =
          proofs.length === 0 ? "what is beyond is dropped, chosen by a keyed hash" : proofs.join("; ")
        return `at most ${groupsPerUnit} groups a unit and ${rowsPerGroup} rows a group (${why})`
      }),
    ),
  )
}

function publicOf({ receipts }: Claim): readonly string[] {
  return distinct(receipts.flatMap((receipt) => receipt.public))
}

function mechanismsOf({ receipts }: Claim): readonly string[] {
  return distinct(
    receipts.flatMap(({ mechanisms }) =>
      mechanisms.map(({ mechanism, scale, sensitivity, grid }) => {
        const parts = [
          scale === undefined ? "" : `scale ${scale}`,
          sensitivity === undefined ? "" : `sensitivity ${sensitivity}`,
          grid === undefined ? "" : `grid ${grid}`,
        ].filter((part) => part !== "")
        return parts.length === 0 ? mechanism : `${mechanism}: ${parts.join(", ")}`
      }),
    ),
  )
}

function composition({ receipts, account }: Claim): string {
  const sums = { pure: "epsilons", zcdp: "rhos", gdp: "squared mus" }[account.budget.accounting]
  return (
    `One ledger for all analysts and studies adds up ${sums} and deltas and refuses what would pass the limit, valid for ` +
    `questions that depend on earlier answers; ${receipts.length} releases so far; the budget is never reset.`
  )
}

function utilityOf({ receipts }: Claim): readonly string[] {
  const levels = distinct(receipts.map(({ confidence }) => confidence))
  const intervals = levels.map((level) => `every noisy number carries an interval at confidence ${level}`)
  return [...intervals, ...distinct(receipts.flatMap(({ notes }) => notes))]
}

function ledgerWords({ receipts }: Claim): string {
  const last = receipts.at(-1)
  const where =
    last === undefined ? "" : `; last release at entry ${last.ledger.position}, hash ${last.ledger.hash}`
  return `charges are durable before data is read, in an append-only chain of hashes with an anchor outside${where}`
}

function dataVersions({ receipts }: Claim): readonly string[] {
  return distinct(receipts.map(({ dataVersion }) => dataVersion))
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

function paragraph(lines: readonly string[]): string {
  return lines.length === 0 ? "none" : lines.map((line) => `- ${oneLine(line)}`).join("\n")
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim()
}

/** YAML in which every text is quoted as JSON, which YAML reads the same; the tier is a number. */
function yamlOf(value: { readonly [key: string]: Yaml }, depth: number): string {
  const indent = "  ".repeat(depth)
  return Object.entries(value)
    .map(([key, field]) => {
      if (typeof field === "string")
        return `${indent}${key}: ${isYamlNumber(key, field) ? field : quoted(field)}\n`
      if (isList(field))
        return `${indent}${key}:\n${field.map((item) => `${indent}  - ${quoted(item)}\n`).join("")}`
      return `${indent}${key}:\n${yamlOf(field, depth + 1)}`
    })
    .join("")
}

function isYamlNumber(key: string, text: string): boolean {
  return ["tier", "epsilon", "delta", "rho"].includes(key) && /^\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)
}

function isList(field: readonly string[] | { readonly [key: string]: Yaml }): field is readonly string[] {
  return Array.isArray(field)
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
