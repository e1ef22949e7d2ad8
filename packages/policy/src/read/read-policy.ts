// A policy file as text to a Policy, or everything that is wrong with it, each with its place.

import { usualShareForCharges } from "@dosimeter/core/accounting"
import { assert } from "@dosimeter/core/errors"
import type { CatalogTable } from "@dosimeter/proof/catalog/catalog"
import { buildTables } from "../build/build-catalog.ts"
import { hasPrivateGroups } from "../build/private-groups.ts"
import { policyKeys } from "../file/keys.ts"
import { readPack } from "../packs/read-pack.ts"
import type { Policy, Resources, Source } from "../file/policy.ts"
import { readConsent, refreshesDaily } from "./read-consent.ts"
import { readResources } from "./read-resources.ts"
import { readSource } from "./read-source.ts"
import { readTables } from "./read-tables.ts"
import { readLimits, readNeighbours, readTerms } from "./read-terms.ts"
import { readTrees, tableSpecs, withTrees } from "./read-trees.ts"
import { Report } from "../file/report.ts"
import { fieldsOf, optional, required, textIn, type Fields } from "../file/shapes.ts"
import type { SourceFacts } from "../file/source-facts.ts"
import { readTree } from "../file/tree.ts"

/**
 * Reads a policy in YAML or JSON. With the facts of its source, names and types are compared with them, and
 * types may be left out. Where a public table has a tree (`treeTables`), its leaves are among the facts, or
 * the columns of the tree have no listed values yet. Throws one error that holds every issue.
 */
export function readPolicy(text: string, options: { readonly facts?: SourceFacts } = {}): Policy {
  const report = new Report()
  const tree = readTree(text, report)
  const shape = { where: "the policy", known: policyKeys, at: { start: 0, end: 0 } }
  const fields = tree === undefined ? undefined : fieldsOf(tree, shape, report)
  const policy = fields === undefined ? undefined : readFields(fields, options.facts)
  report.throwIfAny()
  assert(policy !== undefined, "a policy without issues is one")
  return policy
}

/** What must be known before the data can be opened, and so before the policy can be read against it. */
export interface Opening {
  readonly source: Source
  readonly resources: Resources
}

/**
 * Where the data is and what may be used to read it; undefined if the policy does not say it properly, which
 * `readPolicy` then explains with everything else.
 */
export function readOpening(text: string): Opening | undefined {
  const report = new Report()
  const fields = anyFields(text, report)
  if (fields === undefined) return undefined
  const [source, resources] = [readSource(fields), readResources(fields)]
  return report.count > 0 || source === undefined ? undefined : { source, resources }
}

/** The name of the dataset; undefined if the policy does not say it properly, as above. */
export function readName(text: string): string | undefined {
  const report = new Report()
  const fields = anyFields(text, report)
  const name = fields === undefined ? undefined : readDataset(fields)
  return report.count > 0 ? undefined : name
}

/** The fields of a policy, where others than those that are looked for do not matter. */
function anyFields(text: string, report: Report): Fields | undefined {
  const tree = readTree(text, report)
  if (tree?.kind !== "map") return undefined
  const known = tree.entries.map(({ key }) => key.text)
  return fieldsOf(tree, { where: "the policy", known, at: tree.at }, report)
}

function readFields(fields: Fields, facts: SourceFacts | undefined): Policy | undefined {
  const { report } = fields
  const dataset = readDataset(fields)
  const source = readSource(fields)
  const neighbours = readNeighbours(fields)
  const resources = readResources(fields)
  const anchorNode = optional(fields, "anchor")
  const anchor = anchorNode === undefined ? undefined : textIn(anchorNode, "anchor", report)?.text
  const { pack, at } = readPack(fields)
  const tablesNode = optional(fields, "tables")
  if (tablesNode === undefined && !fields.entries.has("schema")) {
    const example = "tables: { visits: { unit: patient_id } }, or schema: omop-5.4"
    report.add("policy/missing", { key: "tables", where: "the policy", example }, at)
  }
  const site = tablesNode === undefined ? [] : readTables(tablesNode, report)
  const trees = readTrees(fields, facts?.trees)
  const specs = tableSpecs({ pack: pack === undefined ? [] : pack.tables(at), site }, trees, report)
  const { tables: plain, ...besides } = buildTables(specs, facts, report)
  const { tables, treeTables } = withTrees(plain, specs, { trees, facts, report })
  const terms = readTerms(fields, hasPrivateGroups(tables) ? usualShareForCharges : "0")
  const limits = readLimits(fields, terms?.budget)
  const consent = readConsent(fields, tables)
  const unitNode = optional(fields, "unit")
  const unitName = unitNode === undefined ? undefined : textIn(unitNode, "unit", report)?.text
  if (dataset === undefined || source === undefined || neighbours === undefined || terms === undefined) {
    return undefined
  }
  return {
    dataset,
    source,
    ...(pack === undefined ? {} : { pack: pack.name }),
    catalog: {
      dataset,
      unitName: unitName ?? pack?.unitName ?? unitNameOf(tables),
      neighbours,
      tables,
      ...(resources.rowsPerUnit === undefined ? {} : { rowsPerUnit: resources.rowsPerUnit }),
      ...(consent === undefined ? {} : { consent }),
    },
    terms,
    limits,
    resources,
    ...(anchor === undefined ? {} : { anchor }),
    ...(refreshesDaily(fields) ? { consentRefresh: "daily" } : {}),
    ...besides,
    treeTables,
    grounded: facts !== undefined,
  }
}

function readDataset(fields: Fields): string | undefined {
  const node = required(fields, "dataset", "dataset: hospital")
  const written = node === undefined ? undefined : textIn(node, "dataset", fields.report)
  if (written === undefined || /^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(written.text)) return written?.text
  const range = "1 to 63 letters, digits, - and _, beginning with a letter"
  fields.report.add("policy/out-of-range", { where: "dataset", got: written.text, range }, written.at)
  return undefined
}

/** What a unit is called where the owner does not say: by the column that holds its id, or a record. */
function unitNameOf(tables: readonly CatalogTable[]): string {
  for (const { unit } of tables) {
    if (unit.kind === "row") return "record"
    if (unit.kind === "path") return unit.column.replace(/_?id$/i, "") || unit.column
  }
  return "unit"
}
