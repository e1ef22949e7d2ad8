// `dosimeter node view`: how the tables of this house become those of the study.

import { readWithSource } from "@dosimeter/engine"
import type { Command } from "commander"
import { dirname, resolve } from "node:path"
import { addView, endView, viewsOf } from "../../../federation/node/node-views.ts"
import { actingOptions, withActor, type ActingFlags } from "../governance/acting.ts"
import type { Session } from "../session/session.ts"
import { safeText } from "../show/layout.ts"

/** Adds the commands to `node`. */
export function addViewCommands(node: Command, session: Session): void {
  const view = node.command("view").description("say which SELECTs over this house's tables are the study's")
  actingOptions(
    view.command("add <table> <select>").description("make a table of the study; it is checked first"),
  )
    .addHelpText("after", help)
    .action(async (table: string, select: string, flags: ActingFlags) => {
      const folder = dirname(resolve(session.folder, flags.policy))
      const policy = await readWithSource(session.read(flags.policy), folder)
      session.about(select)
      await withActor(session, flags, async (store, actor) => {
        await addView(store, { table, select }, { actor, policy })
        session.out(`jobs that ask ${safeText(table)} read this view from now on\n`)
      })
    })
  actingOptions(view.command("list").description("list them"))
    .option("--json", "one JSON object")
    .action(async (flags: ActingFlags & { readonly json?: true }) =>
      withActor(session, flags, async (store) => {
        const views = await viewsOf(store)
        const text = Object.entries(views).map(
          ([table, select]) => `${safeText(table)}\n${safeText(select).replace(/^/gm, "  ")}\n`,
        )
        if (flags.json === true) session.out(`${JSON.stringify({ views }, null, 2)}\n`)
        else session.out(text.length === 0 ? "jobs ask this house's own tables\n" : text.join("\n"))
      }),
    )
  actingOptions(view.command("end <table>").description("take one away")).action(
    async (table: string, flags: ActingFlags) =>
      withActor(session, flags, async (store, actor) => {
        await endView(store, table, actor)
        session.out(`the view ${safeText(table)} is gone\n`)
      }),
  )
}

const help = `
A view stands before the question of every job that names its table, and is proven with it: one that does not
keep people apart is refused. Where there is a view, jobs see views and nothing else of this house.

Examples:
  dosimeter node view add patients "SELECT person AS id, CASE gender WHEN 1 THEN 'f' ELSE 'm' END AS sex
    FROM persons" --as olga
  dosimeter node view list --as olga
  dosimeter node view end patients --as olga`
