// `dosimeter coordinator pool`: a meta-analysis of what sites have answered by themselves.

import { pooledMeasures, type PooledMeasure, type PoolWanted } from "@dosimeter/engine"
import type { Command } from "commander"
import { fail } from "../../../errors.ts"
import type { Session } from "../session/session.ts"
import { showForest } from "../show/show-forest.ts"
import { studyOption, withJobs, type StudyFlags } from "./open-study.ts"

interface PoolFlags extends StudyFlags, Omit<PoolWanted, "measure"> {
  readonly measure: string
  readonly json?: true
}

/** Adds the command to `coordinator`. */
export function addPoolCommand(coordinator: Command, session: Session): void {
  studyOption(
    coordinator
      .command("pool <job>")
      .description("a meta-analysis of a job with --separate; it costs nothing"),
  )
    .requiredOption("--measure <name>", `one of ${pooledMeasures.join(", ")}`)
    .requiredOption("--count <column>", "how many there are")
    .option("--events <column>", "of risks and odds: how many of them")
    .option("--mean <column>", "of means: the average")
    .option("--variance <column>", "of means: the variance of the values")
    .option("--by <column>", "where two groups are compared: the column that tells them,")
    .option("--first <value>", "the group that is looked at,")
    .option("--second <value>", "and the group that it is compared with")
    .option("--json", "one JSON object")
    .addHelpText("after", help)
    .action(async (id: string, { study, measure, json, ...columns }: PoolFlags) =>
      withJobs(session, { study }, async ({ jobs }) => {
        const pooled = await jobs.pool(id, { ...columns, measure: measureOf(measure) })
        if (json === true) session.out(`${JSON.stringify(pooled, null, 2)}\n`)
        else session.out(`${showForest(pooled, session).join("\n")}\n`)
      }),
    )
}

function measureOf(name: string): PooledMeasure {
  const found = pooledMeasures.find((one) => one === name)
  const wanted = `one of ${pooledMeasures.join(", ")}`
  return found ?? fail("cli/bad-option", { option: "--measure", got: name, wanted })
}

const help = `
Every site's estimate has the variance of its sample and that of its noise, and counts for less the larger
they are. Three results: as if all sites estimate the same, as if what they estimate varies (DerSimonian and
Laird), and the same with the error that their differences show (Hartung and Knapp).

Examples:
  dosimeter coordinator pool 3f9a02c1 --measure odds-ratio --events died --count n \\
    --by arm --first new --second old
  dosimeter coordinator pool 3f9a02c1 --measure mean --mean age --variance v --count n`
