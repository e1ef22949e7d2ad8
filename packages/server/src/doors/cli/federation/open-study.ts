// Opens the coordinator of a study for a command: its state, its key, and its jobs where they are wanted.

import { loadGrammar } from "@dosimeter/language/parse/grammar"
import type { Policy } from "@dosimeter/policy/file/policy"
import { readName, readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Command } from "commander"
import { join } from "node:path"
import { Coordinator } from "../../../federation/coordinator/coordinator.ts"
import { Jobs } from "../../../federation/coordinator/jobs.ts"
import { openKeyFile } from "../../../federation/wire/identity.ts"
import { withState } from "../session/server-state.ts"
import { stateFolder } from "../session/state-folder.ts"
import type { Session } from "../session/session.ts"

/** Which study. */
export interface StudyFlags {
  readonly study: string
}

/** A study that is open. */
export interface OpenStudy {
  readonly coordinator: Coordinator
  readonly jobs: Jobs
  readonly policy: Policy
}

/** Adds the option that names the study. */
export function studyOption(command: Command): Command {
  return command.option("--study <file>", "the study's catalog: a policy file without data", "study.yaml")
}

/** Runs something with the coordinator of a study. */
export async function withCoordinator(
  session: Session,
  { study }: StudyFlags,
  use: (coordinator: Coordinator) => Promise<void>,
): Promise<void> {
  const text = session.read(study)
  const name = readName(text) ?? readPolicy(text).dataset
  await withState(session, study, async (store) => {
    const signer = openKeyFile(join(stateFolder(session, study), "coordinator.key"))
    const coordinator = new Coordinator({ store, signer, study: name })
    try {
      await use(coordinator)
    } finally {
      coordinator.close()
    }
  })
}

/** The same with its jobs: the study's file must be a whole catalog. */
export async function withJobs(
  session: Session,
  flags: StudyFlags,
  use: (study: OpenStudy) => Promise<void>,
): Promise<void> {
  const policy = readPolicy(session.read(flags.study))
  const grammar = await loadGrammar()
  await withCoordinator(session, flags, async (coordinator) => {
    const { store, bells, signer } = coordinator
    const note = (line: string): void => session.note(`${line}\n`)
    const jobs = new Jobs({ store, bells, note, study: { policy, grammar, signer } })
    await use({ coordinator, jobs, policy })
  })
}
