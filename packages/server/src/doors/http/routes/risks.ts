// Risk reports for owners. The figures are exact, so nothing of them is kept or logged here: the audit trail
// says that a report was made, of which table and by whom.

import { measureRisk, type RiskOptions, type RiskReport } from "@dosimeter/engine/risk"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { record } from "../../../audit/audit.ts"
import { fail } from "../../../errors.ts"
import { riskPage } from "../../../risk/risk-page.ts"
import type { riskRoutes } from "../contract/risks.ts"
import type { CatalogTable } from "@dosimeter/proof/catalog/catalog"
import { callerOf, textReply, wants, type MakeHandlers } from "../request/handler.ts"

type LinkOptions = NonNullable<RiskOptions["link"]>

/** The handlers. */
export const riskHandlers: MakeHandlers<typeof riskRoutes> = ({ engine, folder, store }) => {
  const { dataset, source, catalog } = engine.policy
  let isBusy = false
  return {
    makeRiskReport: async ({ params, body }, context) => {
      if (params.dataset !== dataset) fail("request/no-dataset", { dataset: params.dataset.slice(0, 80) })
      if (isBusy) fail("request/busy", {})
      isBusy = true
      try {
        const { table: named, quasi, sensitive, attacks } = body
        const known = catalog.tables.find(({ name }) => name === named)
        const table = known?.path.join(".") ?? named
        const person = body.person ?? (known === undefined ? undefined : personIn(known))
        const who = callerOf(context).person.name
        const deed = { who, what: "risk-report-made", about: `table ${named}` }
        await store.transaction((access) => record(access, deed, new Date().toISOString()))
        const measure = async (link?: LinkOptions): Promise<RiskReport> =>
          measureRisk({
            source,
            folder,
            table,
            ...(link === undefined ? {} : { link }),
            ...(quasi === undefined ? {} : { quasi }),
            ...(sensitive === undefined ? {} : { sensitive }),
            ...(person === undefined ? {} : { person }),
            ...(attacks === undefined ? {} : { attacks }),
          })
        const report = await (body.link === undefined ? measure() : withSecondFile(body.link, measure))
        return wants(context, "text/html")
          ? textReply(riskPage(report, body.language), "text/html")
          : { ...report }
      } finally {
        isBusy = false
      }
    },
  }
}

/** What was sent stands in a folder that only this account reads, for as long as it is read. */
async function withSecondFile<Result>(
  {
    name,
    csv,
    on = {},
  }: { readonly name: string; readonly csv: string; readonly on?: LinkOptions["on"] | undefined },
  work: (link: LinkOptions) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-risk-link-"))
  try {
    const file = `${name.replace(/\.csv$/i, "").replaceAll(/[^\p{L}\p{N}_-]/gu, "_")}.csv`
    writeFileSync(join(folder, file), csv, { mode: 0o600 })
    return await work({ source: { kind: "csv", globs: [file] }, folder, on })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The policy knows whose rows they are: what the database calls that column, where people have several. */
function personIn({ unit, columns, keys }: CatalogTable): string | undefined {
  if (unit.kind !== "path" || unit.hops.length > 0) return undefined
  const isKey = keys.some(([first, ...more]) => first === unit.column && more.length === 0)
  return isKey ? undefined : columns.find(({ name }) => name === unit.column)?.source
}
