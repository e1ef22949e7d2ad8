// `dosimeter study`: proposing, reviewing, opening and closing studies. Whoever may run it at all has the
// files in hand, so it acts for any account; the audit trail says for which.

import { openLedger, readWithSource } from "@dosimeter/engine"
import { Option, type Command } from "commander"
import { dirname, resolve } from "node:path"
import { activateStudy } from "../../../studies/activate-study.ts"
import { purposeOf, purposes } from "../../../studies/purposes.ts"
import { Studies, type Study, type StudyProposal } from "../../../studies/studies.ts"
import { daysAreOff, type Actor, type StudyState } from "../../../studies/study-state.ts"
import { views, type View } from "../../../studies/voices.ts"
import { tableText, withActor } from "./acting.ts"
import { ledgerPlace } from "../session/state-folder.ts"
import { addStudyEdit } from "./study-edit.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"

interface StudyFlags {
  readonly policy: string
  readonly as: string
  readonly why?: string
  readonly json?: true
}

interface ProposeFlags extends StudyFlags {
  readonly title: string
  readonly summary?: string
  readonly purpose: string
  readonly people?: string
  readonly from: string
  readonly to: string
  readonly epsilon: string
  readonly delta: string
  readonly airlock?: true
  readonly datasets?: string
}

/** Adds the command. */
export function addStudy(program: Command, session: Session): void {
  const study = program.command("study").description("propose, review, open and close studies")
  addPropose(study, session)
  addStudyEdit(study, session)
  const move = (
    name: string,
    description: string,
    run: (studies: Studies, id: string, context: MoveContext) => Promise<string>,
  ): void => {
    study
      .command(`${name} <id>`)
      .description(description)
      .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
      .requiredOption("--as <name>", "the account that acts")
      .option("--why <reasons>", "the reasons, for everybody to read")
      .action(async (id: string, flags: StudyFlags) =>
        withStudies(session, flags, async (studies, actor) => {
          session.out(`${await run(studies, id, { actor, why: flags.why ?? "", flags, session })}\n`)
        }),
      )
  }
  addVoice(study, session)
  move("submit", "hand a draft to the committee", async (studies, id, { actor }) => {
    await studies.submit(id, actor)
    return `${id} waits for two reviews`
  })
  move("approve", "agree to a study, with reasons", async (studies, id, { actor, why }) => {
    const state = await studies.review(id, { decision: "approve", reasons: why }, actor)
    return state === "approved"
      ? `${id} is approved; the owner can activate it`
      : `${id} needs one more review`
  })
  move("refuse", "refuse a study, with reasons", async (studies, id, { actor, why }) => {
    await studies.review(id, { decision: "refuse", reasons: why }, actor)
    return `${id} is refused`
  })
  move("airlock", "let every release of a study wait for an approval", async (studies, id, { actor }) => {
    await studies.demandAirlock(id, actor)
    return `releases of ${id} will wait for an approval`
  })
  move("activate", "open an approved study, with its share of the budget", activate)
  move("suspend", "stop all questions of a study at once", async (studies, id, { actor, why }) => {
    await studies.suspend(id, why, actor)
    return `${id} is suspended`
  })
  move("resume", "let a suspended study go on", async (studies, id, { actor, why }) => {
    await studies.resume(id, why, actor)
    return `${id} goes on`
  })
  move("close", "end a study; its releases stay", async (studies, id, { actor }) => {
    await studies.close(id, actor)
    return `${id} is closed`
  })
  study
    .command("list")
    .description("list the studies")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object")
    .action(async (flags: StudyFlags) =>
      withState(session, flags.policy, async (store) => {
        const found = await new Studies(store).list()
        session.out(flags.json === true ? `${JSON.stringify(found, null, 2)}\n` : studiesText(found))
      }),
    )
}

function addVoice(study: Command, session: Session): void {
  study
    .command("voice <id>")
    .description("say what a community advisory board thinks of a study; advisory")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .requiredOption("--as <name>", "the account that acts")
    .addOption(new Option("--view <view>", "what the board thinks").choices(views).makeOptionMandatory())
    .requiredOption("--why <words>", "in plain words, for everybody to read")
    .action(async (id: string, flags: StudyFlags & { readonly view: View }) =>
      withStudies(session, flags, async (studies, actor) => {
        await studies.voice(id, { view: flags.view, comment: flags.why ?? "" }, actor)
        session.out(`the view on ${id} is on its record\n`)
      }),
    )
}

interface MoveContext {
  readonly actor: Actor
  readonly why: string
  readonly flags: StudyFlags
  readonly session: Session
}

function addPropose(study: Command, session: Session): void {
  study
    .command("propose <id>")
    .description("propose a study: what for, by whom, until when, at what share of the budget")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .requiredOption("--as <name>", "the account that proposes")
    .requiredOption("--title <text>", "its title")
    .option("--summary <text>", "what it is about, in plain words")
    .requiredOption("--purpose <codes>", "codes of the Data Use Ontology, separated by commas")
    .option("--people <names>", "accounts that may ask besides, separated by commas")
    .requiredOption("--from <day>", "the first day")
    .requiredOption("--to <day>", "the last day")
    .requiredOption("--epsilon <e>", "its share of the budget")
    .requiredOption("--delta <d>", "the same of delta")
    .option("--airlock", "let every release wait for an approval")
    .option("--datasets <names>", "the datasets that it is about, separated by commas; this one if left out")
    .addHelpText(
      "after",
      `
Purposes:
${purposes.map(({ code, name }) => `  ${code}  ${name}`).join("\n")}

Example:
  dosimeter study propose heart --as ada --title "Heart failure and readmission" --purpose DUO:0000006 \\
    --from 2026-03-01 --to 2030-12-31 --epsilon 0.5 --delta 1e-9`,
    )
    .action(async (id: string, flags: ProposeFlags) =>
      withStudies(session, flags, async (studies, actor) => {
        await studies.propose(proposalOf(id, flags), actor)
        session.out(`${id} is a draft; hand it in: dosimeter study submit ${id} --as ${actor.name}\n`)
      }),
    )
}

function proposalOf(id: string, flags: ProposeFlags): StudyProposal {
  const { title, summary = "", from: starts, to: ends, epsilon, delta } = flags
  const listed = (text: string | undefined): readonly string[] =>
    (text ?? "").split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]))
  return {
    id,
    title,
    summary,
    purposes: listed(flags.purpose),
    people: listed(flags.people),
    starts,
    ends,
    epsilon,
    delta,
    airlock: flags.airlock === true,
    datasets: listed(flags.datasets),
  }
}

async function activate(
  studies: Studies,
  id: string,
  { actor, flags, session }: MoveContext,
): Promise<string> {
  const folder = dirname(resolve(session.folder, flags.policy))
  const policy = await readWithSource(session.read(flags.policy), folder)
  const ledger = await openLedger(policy, ledgerPlace(session, flags.policy))
  try {
    const study = await activateStudy(studies, id, { actor, ledger, policy })
    const days = `from ${study.starts} to ${study.ends}`
    return daysAreOff(study, today()) === "over"
      ? `${id} was to be active ${days}: its days are over, so nobody may ask`
      : `${id} is active ${days}: ${study.people.join(", ")} may ask`
  } finally {
    await ledger.close()
  }
}

async function withStudies(
  session: Session,
  flags: StudyFlags,
  use: (studies: Studies, actor: Actor) => Promise<void>,
): Promise<void> {
  await withActor(session, flags, (store, actor) => use(new Studies(store), actor))
}

function studiesText(studies: readonly Study[]): string {
  if (studies.length === 0)
    return "there are no studies so far; propose one: dosimeter study propose --help\n"
  return tableText([
    ["study", "state", "days", "epsilon", "people", "views", "purpose"],
    ...studies.map((study) => [
      study.id,
      [study.state, daysWords(study), study.suspended ? "suspended" : "", study.airlock ? "airlock" : ""]
        .filter((word) => word !== "")
        .join(", "),
      `${study.starts} to ${study.ends}`,
      study.epsilon,
      study.people.join(", "),
      viewWords(study),
      study.purposes.map((code) => purposeOf(code)?.name ?? code).join("; "),
    ]),
  ])
}

// Of a study that is closed or refused its days say nothing more.
const daysMatter: ReadonlySet<StudyState> = new Set(["draft", "submitted", "approved", "active"])

function daysWords(study: Study): string {
  const off = daysMatter.has(study.state) ? daysAreOff(study, today()) : undefined
  return off === undefined ? "" : { over: "past its days", ahead: "not begun" }[off]
}

/** "1 concern, 2 support"; "none" where the board has said nothing. */
function viewWords({ voices }: Study): string {
  const counts = views.map((view) => ({ view, count: voices.filter((voice) => voice.view === view).length }))
  const said = counts.filter(({ count }) => count > 0)
  return said.length === 0 ? "none" : said.map(({ view, count }) => `${count} ${view}`).join(", ")
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
