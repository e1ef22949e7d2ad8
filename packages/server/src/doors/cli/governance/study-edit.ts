// `dosimeter study edit`: changes a draft; what is not named stays.

import type { Command } from "commander"
import { Studies, type StudyProposal } from "../../../studies/studies.ts"
import { actingOptions, withActor, type ActingFlags } from "./acting.ts"
import type { Session } from "../session/session.ts"

interface EditFlags extends ActingFlags {
  readonly title?: string
  readonly summary?: string
  readonly purpose?: string
  readonly people?: string
  readonly from?: string
  readonly to?: string
  readonly epsilon?: string
  readonly delta?: string
  readonly airlock?: boolean
  readonly datasets?: string
}

/** Adds the command. */
export function addStudyEdit(study: Command, session: Session): void {
  actingOptions(study.command("edit <id>").description("change a draft; what is not named stays"))
    .option("--title <text>", "its title")
    .option("--summary <text>", "what it is about, in plain words")
    .option("--purpose <codes>", "codes of the Data Use Ontology, separated by commas")
    .option("--people <names>", "all accounts that may ask, separated by commas")
    .option("--from <day>", "the first day")
    .option("--to <day>", "the last day")
    .option("--epsilon <e>", "its share of the budget")
    .option("--delta <d>", "the same of delta")
    .option("--airlock", "let every release wait for an approval")
    .option("--no-airlock", "let releases leave at once")
    .option("--datasets <names>", "the datasets that it is about, separated by commas")
    .action(async (id: string, flags: EditFlags) =>
      withActor(session, flags, async (store, actor) => {
        await new Studies(store).edit(id, changesOf(flags), actor)
        session.out(`${id} is changed\n`)
      }),
    )
}

function changesOf(flags: EditFlags): Partial<StudyProposal> {
  const { title, summary, purpose, people, from, to, epsilon, delta, airlock, datasets } = flags
  return {
    ...(title === undefined ? {} : { title }),
    ...(summary === undefined ? {} : { summary }),
    ...(purpose === undefined ? {} : { purposes: listOf(purpose) }),
    ...(people === undefined ? {} : { people: listOf(people) }),
    ...(from === undefined ? {} : { starts: from }),
    ...(to === undefined ? {} : { ends: to }),
    ...(epsilon === undefined ? {} : { epsilon }),
    ...(delta === undefined ? {} : { delta }),
    ...(airlock === undefined ? {} : { airlock }),
    ...(datasets === undefined ? {} : { datasets: listOf(datasets) }),
  }
}

function listOf(text: string): readonly string[] {
  return text.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]))
}
