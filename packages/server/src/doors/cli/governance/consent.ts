// `dosimeter consent`: what people have decided about the use of their data, handed in and looked up.

import { readWithSource } from "@dosimeter/engine"
import { consentTable } from "@dosimeter/proof/catalog/consent"
import type { Command } from "commander"
import { basename, dirname, resolve } from "node:path"
import { fail } from "../../../errors.ts"
import { Consents, type ConsentOptions, type KeptDecision } from "../../../consent/consents.ts"
import { purposeOf, purposes } from "../../../studies/purposes.ts"
import { readConsents } from "../../../consent/read-consents.ts"
import { StoredConsent } from "../../../consent/stored-consent.ts"
import { actingOptions, showTime, tableText, withActor, type ActingFlags } from "./acting.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"

interface ConsentFlags extends ActingFlags {
  readonly date?: string
  readonly json?: true
}

/** So many problems of a file are told at once. */
const problemsMax = 5

/** Adds the command. */
export function addConsent(program: Command, session: Session): void {
  const consent = program
    .command("consent")
    .description("hand in and look up what people decided about the use of their data")
    .addHelpText("after", help)
  actingOptions(
    consent.command("import <file>").description("take over decisions from CSV or FHIR; all or none"),
  )
    .addHelpText("after", help)
    .action(async (file: string, flags: ConsentFlags) => {
      const text = session.read(file)
      const { unitType, isApplied } = await consentFactsOf(session, flags.policy)
      const { decisions, problems } = readConsents(text, unitType)
      if (problems.length > 0) fail("consent/bad-file", { file, problems: firstOf(problems) })
      await withActor(session, flags, async (store, actor) => {
        const source = basename(file)
        const changed = await new Consents(store, { unitType }).add(decisions, { source, actor })
        session.out(
          `${decisions.length} ${decisions.length === 1 ? "decision was" : "decisions were"} read; ${changed} changed what holds\n`,
        )
        session.note(unappliedNote(isApplied))
      })
    })
  actingOptions(consent.command("set <participant> <purpose> <decision>").description("given or withdrawn"))
    .option("--date <day>", "when it was decided; now if left out")
    .action(async (participant: string, purpose: string, decision: string, flags: ConsentFlags) => {
      if (decision !== "given" && decision !== "withdrawn") {
        return fail("cli/bad-option", { option: "decision", got: decision, wanted: "given or withdrawn" })
      }
      const { unitType, isApplied } = await consentFactsOf(session, flags.policy)
      const decidedAt = flags.date ?? "now"
      await withActor(session, flags, async (store, actor) => {
        const one = { participant, purpose, decision, decidedAt } as const
        await new Consents(store, { unitType }).add([one], { source: "command", actor })
        session.out(`${decision} from now on, for ${purposeOf(purpose)?.name ?? purpose}\n`)
        session.note(unappliedNote(isApplied))
      })
    })
  addLookUps(consent, session)
}

function addLookUps(consent: Command, session: Session): void {
  const looking = (name: string, description: string): Command =>
    consent
      .command(name)
      .description(description)
      .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
      .option("--json", "one JSON object")
  const shows =
    (pick: (consents: Consents, participant: string) => Promise<readonly KeptDecision[]>) =>
    async (participant: string, flags: ConsentFlags): Promise<void> => {
      const { unitType } = await consentFactsOf(session, flags.policy)
      await withState(session, flags.policy, async (store) => {
        const found = await pick(new Consents(store, { unitType }), participant)
        session.out(flags.json === true ? `${JSON.stringify(found, null, 2)}\n` : decisionsText(found))
      })
    }
  looking("list <participant>", "what holds for somebody").action(shows((consents, id) => consents.of(id)))
  looking("history <participant>", "everything that somebody decided").action(
    shows((consents, id) => consents.history(id)),
  )
  looking("version [purposes...]", "the version that a study with these purposes would use").action(
    async (codes: readonly string[], flags: ConsentFlags) =>
      withState(session, flags.policy, async (store) => {
        const all = purposes.filter(({ kind }) => kind === "permission").map(({ code }) => code)
        const source = new StoredConsent(() => store)
        const { version } = await source.current(codes.length === 0 ? all : codes)
        session.out(flags.json === true ? `${JSON.stringify({ version })}\n` : `version ${version}\n`)
      }),
  )
}

/** What ids of people are in the data of a policy, and whether it asks for consent at all. */
export async function consentFactsOf(
  session: Session,
  policy: string,
): Promise<{ readonly unitType: ConsentOptions["unitType"]; readonly isApplied: boolean }> {
  const folder = dirname(resolve(session.folder, policy))
  const { catalog } = await readWithSource(session.read(policy), folder)
  const type = consentTable(catalog.tables, ["consent"])?.columns[0]?.domain.type.kind
  if (type !== "integer" && type !== "text")
    return fail("consent/bad-participant", { type: "text or integer" })
  return { unitType: type, isApplied: catalog.consent !== undefined }
}

function unappliedNote(isApplied: boolean): string {
  return isApplied
    ? ""
    : "the policy does not ask for consent, so nothing depends on it: add consent: required\n"
}

function decisionsText(decisions: readonly KeptDecision[]): string {
  if (decisions.length === 0) return "nothing was decided so far\n"
  return tableText([
    ["purpose", "meaning", "decision", "decided (UTC)", "source", "handed in by"],
    ...decisions.map(({ purpose, decision, decidedAt, source, recordedBy }) => [
      purpose,
      purposeOf(purpose)?.name ?? "",
      decision,
      showTime(decidedAt),
      source,
      recordedBy,
    ]),
  ])
}

function firstOf(problems: readonly string[]): string {
  const more = problems.length - problemsMax
  return `${problems.slice(0, problemsMax).join("; ")}${more > 0 ? `; and ${more} more` : ""}`
}

const help = `
CSV has the columns participant, purpose, decision (given or withdrawn) and date. FHIR: Consent
resources of R4, one, in a Bundle or in lines, about research, with a permit or deny for purposes.
Of two decisions about a purpose the later one holds; a wider purpose contains the narrower ones.

Purposes:
${purposes
  .filter(({ kind }) => kind === "permission")
  .map(({ code, name }) => `  ${code}  ${name}`)
  .join("\n")}

Examples:
  dosimeter consent import consents.csv --as olga
  dosimeter consent set 4711 DUO:0000006 withdrawn --as olga
  dosimeter consent history 4711
  dosimeter consent version DUO:0000006`
