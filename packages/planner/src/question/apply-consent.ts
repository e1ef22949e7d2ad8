// Puts people's own decisions into a finished plan: every aggregate over units reads only the units whose
// rows may be read. verify/check-consent.ts proves that none was forgotten.

import { ownershipOf } from "@dosimeter/proof/units/track-unit"
import type { Catalog, ConsentFacts } from "@dosimeter/proof/catalog/catalog"
import { callExpr, columnExpr, columnIdsAfter, filterRel } from "@dosimeter/proof/algebra/make"
import type { Mark, Rel, RelColumn, Scan } from "@dosimeter/proof/algebra/rel"
import type { Extract, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"

/** The plan with consent in it; the plan itself where nobody is asked. */
export function applyConsent(plan: ReleasePlan, { consent }: Pick<Catalog, "consent">): ReleasePlan {
  if (consent === undefined) return plan
  const { mode, purposes, version } = consent
  return {
    ...plan,
    releases: plan.releases.map((release) => ({
      ...release,
      extracts: release.extracts.map((extract) => onlyConsented(extract, consent)),
    })),
    consent: { mode, purposes, version },
  }
}

// Right below the sum over units, where each of them has a few rows left: which of a unit's rows those are
// depends on its own rows alone, so it does not matter that others are dropped afterwards.
function onlyConsented(extract: Extract, consent: ConsentFacts): Extract {
  const { rel } = extract
  if (rel.kind !== "aggregate") return extract
  return { ...extract, rel: { ...rel, input: consentedRows(rel, rel.input, consent) } }
}

function consentedRows(all: Rel, rows: Rel, { mode, table }: ConsentFacts): Rel {
  const owner = ownershipOf(rows)
  const unit = rows.columns.find(({ id }) => owner.kind === "private" && owner.units.has(id))
  const [source] = table.columns
  if (unit === undefined || source === undefined) return rows
  const ids = columnIdsAfter(all)
  const asked: RelColumn = { id: ids.next(), name: source.name, domain: source.domain }
  const scan: Scan = { kind: "scan", table, sources: [source], columns: [asked] }
  const domain = { type: { kind: "boolean" }, nullable: false } as const
  const listed: RelColumn = { id: ids.next(), name: "listed", domain }
  const marked: Mark = {
    kind: "mark",
    left: rows,
    right: scan,
    condition: callExpr("equal", [columnExpr(unit), columnExpr(asked)]),
    columns: [...rows.columns, listed],
  }
  const isListed = columnExpr(listed)
  return filterRel(marked, mode === "required" ? isListed : callExpr("not", [isListed]))
}
