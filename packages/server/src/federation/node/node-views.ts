// How this house's tables become the study's: named SELECTs, checked when they are written, and read by the
// node whenever it looks at a job.

import { checkViews, type Views } from "@dosimeter/engine"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import type { Policy } from "@dosimeter/policy/file/policy"
import { record } from "../../audit/audit.ts"
import { fail } from "../../errors.ts"
import { may } from "../../people/roles.ts"
import type { StateAccess, StateStore } from "../../state/state-store.ts"
import type { Actor } from "../../studies/study-state.ts"
import { keepSetting, readSetting } from "../mail/settings.ts"
import { jsonOf } from "../wire/json.ts"

const setting = "views"

/** The views of a node, by the names of the study's tables. */
export async function viewsOf(access: StateAccess): Promise<Views> {
  const text = await readSetting(access, setting)
  // Our own text, written below.
  return text === undefined ? {} : (jsonOf(text) as Views)
}

/** Adds a view, in place of one of the same name; refused where no question could be asked of it. */
export async function addView(
  store: StateStore,
  view: { readonly table: string; readonly select: string },
  by: { readonly actor: Actor; readonly policy: Policy },
): Promise<void> {
  const { actor, policy } = by
  if (!may(actor.role, "review-releases")) return fail("federation/not-allowed", { name: actor.name })
  const views = { ...(await viewsOf(store)), [view.table]: view.select }
  checkViews(views, { policy, grammar: await loadGrammar() })
  await keepViews(store, views, { actor, what: "view-made", ...view })
}

/** Takes a view away. Without any a job is about the house's own tables again. */
export async function endView(store: StateStore, table: string, actor: Actor): Promise<void> {
  if (!may(actor.role, "review-releases")) return fail("federation/not-allowed", { name: actor.name })
  const { [table]: select, ...others } = await viewsOf(store)
  if (select === undefined) return fail("federation/no-such-view", { view: table.slice(0, 64) })
  await keepViews(store, others, { actor, what: "view-ended", table, select })
}

async function keepViews(
  store: StateStore,
  views: Views,
  done: {
    readonly actor: Actor
    readonly what: "view-made" | "view-ended"
    readonly table: string
    readonly select: string
  },
): Promise<void> {
  const { actor, what, table, select } = done
  const at = new Date().toISOString()
  await store.transaction(async (access) => {
    await keepSetting(access, setting, JSON.stringify(views))
    await record(access, { who: actor.name, what, about: `view ${table}`, facts: { select } }, at)
  })
}
