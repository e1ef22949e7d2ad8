// Synthetic rows over HTTP: priced, measured under one charge, and given as a report or as CSV.

import { showParameter } from "@dosimeter/core"
import { exactly } from "@dosimeter/core/exact"
import { csvOf, makeRows, type MadeTable } from "@dosimeter/engine"
import { accountObject } from "../../../answers/account-value.ts"
import { costValue } from "../../../answers/cost-value.ts"
import { fail } from "../../../errors.ts"
import type { AskedSynthetic } from "../../../questions/synthetic-questions.ts"
import { rowsMax, type SyntheticBody, type syntheticRoutes } from "../contract/learning.ts"
import { callerOf, wants, type MakeHandlers } from "../request/handler.ts"
import { rhoIn } from "../request/read-question.ts"

/** The handlers. */
export const syntheticHandlers: MakeHandlers<typeof syntheticRoutes> = ({ engine, questions, queue }) => {
  const budget = async () => accountObject(await engine.account(), engine.policy.terms)
  return {
    priceSynthetic: async ({ body }, context) => {
      const { name } = callerOf(context).person
      context.about(body.sql ?? "")
      const { plan, isMeasured } = await queue.run(name, () =>
        questions.synthetic.price(name, askedIn(body, undefined)),
      )
      return {
        columns: plan.columns.map((column) => column.name),
        cost: costValue(plan.charge),
        quality: plan.quality,
        free: isMeasured,
        budget: await budget(),
      }
    },
    makeSynthetic: async ({ body }, context) => {
      const { rows, seed = "1", part = "units", ...question } = body
      const { name } = callerOf(context).person
      const { key } = context
      context.about(body.sql ?? "")
      if (part === "rows" && body.rowsOf === undefined) {
        fail("request/bad-input", { where: "part in the body", what: "there are rows only beside rowsOf" })
      }
      const most = rowsMaxOf(body)
      if (rows !== undefined && rows > most) {
        const what = `at most ${most}, each with up to ${body.rowsOf?.most ?? 0} of the second table`
        fail("request/bad-input", { where: "rows in the body", what })
      }
      const release = await queue.once(name, { key, what: JSON.stringify(question) }, () =>
        questions.synthetic.measure(name, askedIn(question, key)),
      )
      const { plan, origin, charge, receipt, synthesis } = release
      const made = makeRows(release, { rows: rows ?? rowsOf(synthesis, most), seed })
      if (wants(context, "text/csv"))
        return csvReply(part === "rows" ? (made.rows ?? made.units) : made.units)
      return {
        rows: made.units.length,
        rowsOfSecondTable: made.rows?.length ?? null,
        report: made.report,
        confidence: showParameter(plan.example.confidence),
        origin,
        charge: Number(charge),
        cost: costValue(plan.charge),
        receipt,
        budget: await budget(),
      }
    },
  }
}

function askedIn({ epsilon, rho, study, ...wanted }: SyntheticBody, key: string | undefined): AskedSynthetic {
  return {
    wanted,
    study,
    ...rhoIn({ rho, epsilon }),
    ...(epsilon === undefined ? {} : { ask: { epsilon: exactly(epsilon, "epsilon") } }),
    ...(key === undefined ? {} : { requestId: key }),
  }
}

/** More rows of a second table than this could end the process: noise alone may make all that are allowed. */
const secondRowsMax = 1_000_000

function rowsMaxOf({ rowsOf }: SyntheticBody): number {
  return rowsOf === undefined ? rowsMax : Math.min(rowsMax, Math.floor(secondRowsMax / rowsOf.most))
}

function rowsOf({ rows }: { readonly rows: number }, most: number): number {
  return Math.max(1, Math.min(most, Math.round(rows)))
}

// In pieces, so that no text of all rows is made at once.
function csvReply(table: MadeTable): Response {
  const encoder = new TextEncoder()
  const lines = csvOf(table)
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value, done } = lines.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="synthetic.csv"',
    },
  })
}
