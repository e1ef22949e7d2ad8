// `dosimeter node standing`: what a house agrees to beforehand, by a pattern of questions and a budget.

import { showParameter } from "@dosimeter/core/exact"
import type { Command } from "commander"
import { StandingApprovals, type Standing } from "../../../federation/node/standing.ts"
import { actingOptions, tableText, withActor, type ActingFlags } from "../governance/acting.ts"
import type { Session } from "../session/session.ts"

interface StandingFlags extends ActingFlags {
  readonly pattern: string
  readonly each: string
  readonly epsilon: string
  readonly delta: string
  readonly sites: string
  readonly until: string
}

/** Adds the commands to `node`. */
export function addStandingCommands(node: Command, session: Session): void {
  const standing = node.command("standing").description("agree to jobs beforehand, by pattern and budget")
  actingOptions(standing.command("add").description("agree to every job that fits, until the budget is used"))
    .requiredOption("--pattern <sql>", "of the whole question; * stands for any words")
    .requiredOption("--each <epsilon>", "what one job may cost")
    .requiredOption("--epsilon <e>", "what all of them may cost together")
    .requiredOption("--delta <d>", "the same of delta")
    .requiredOption("--until <day>", "the last day, such as 2027-06-30")
    .option("--sites <n>", "jobs of fewer sites wait for a person", "3")
    .addHelpText("after", help)
    .action(async (flags: StandingFlags) =>
      withActor(session, flags, async (store, actor) => {
        const { pattern, each: epsilonEach, epsilon, delta, until, sites } = flags
        const terms = { pattern, epsilonEach, epsilon, delta, until, sitesMin: Number(sites) }
        const id = await new StandingApprovals(store).add(terms, actor)
        session.out(`standing approval ${id} holds until ${until}\n`)
      }),
    )
  actingOptions(standing.command("list").description("list them, with what was used of each"))
    .option("--json", "one JSON object")
    .action(async (flags: ActingFlags & { readonly json?: true }) =>
      withActor(session, flags, async (store) => {
        const found = (await new StandingApprovals(store).list()).map(shown)
        const text =
          flags.json === true ? `${JSON.stringify({ standing: found }, null, 2)}\n` : listText(found)
        session.out(text)
      }),
    )
  actingOptions(standing.command("end <id>").description("end one; what it approved stays approved")).action(
    async (id: string, flags: ActingFlags) =>
      withActor(session, flags, async (store, actor) => {
        await new StandingApprovals(store).end(/^\d{1,9}$/.test(id) ? Number(id) : 0, actor)
        session.out(`standing approval ${id} has ended\n`)
      }),
  )
}

interface ShownStanding extends Omit<Standing, "used"> {
  readonly used: { readonly jobs: number; readonly epsilon: string; readonly delta: string }
}

function shown(standing: Standing): ShownStanding {
  const { jobs, epsilon, delta } = standing.used
  return { ...standing, used: { jobs, epsilon: showParameter(epsilon), delta: showParameter(delta) } }
}

function listText(standing: readonly ShownStanding[]): string {
  if (standing.length === 0) return "nothing is agreed to beforehand\n"
  return tableText([
    ["id", "pattern", "each", "epsilon", "used", "jobs", "sites", "until", "by", "state"],
    ...standing.map((one) => [
      `${one.id}`,
      one.pattern,
      one.epsilonEach,
      one.epsilon,
      one.used.epsilon,
      `${one.used.jobs}`,
      `${one.sitesMin} or more`,
      one.until,
      one.madeBy,
      one.endedAt === undefined ? "holds" : "ended",
    ]),
  ])
}

const help = `
The pattern is of the whole question. * stands for any words, but in COUNT(*); letters may be large or small
but in quotes, and a question with a comment fits none. A job that fits is approved when it comes, and charged
like any other. Everything else waits for a person. A job in which each site answers by itself is one of
one site.

Examples:
  dosimeter node standing add --as carl --pattern "SELECT sex, COUNT(*) FROM person WHERE * GROUP BY sex" \\
    --each 0.1 --epsilon 1 --delta 1e-7 --until 2027-06-30
  dosimeter node standing list --as carl
  dosimeter node standing end 1 --as carl`
