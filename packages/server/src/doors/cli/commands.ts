// The commands, in the order of the help. A new one is a file in a folder beside this one, and a row here.
// The row is all that the list of commands needs: the file is loaded if the command is called.

import type { Command } from "commander"
import type { Session } from "./session/session.ts"

/** Adds a command to the program. */
export type AddCommand = (program: Command, session: Session) => void

/** One command: as the list of commands shows it, and where it is. */
export interface CommandRow {
  readonly name: string
  /** What follows the name in the list, such as `[options] <file>`. */
  readonly usage: string
  readonly description: string
  readonly load: () => Promise<readonly AddCommand[]>
}

/** Every command. */
export const commands: readonly CommandRow[] = [
  {
    name: "demo",
    usage: "[options] [folder]",
    description: "make up a hospital, ask it five questions and serve it; half a minute, no data needed",
    load: async () => [(await import("./serve/demo.ts")).addDemo],
  },
  {
    name: "init",
    usage: "[options] <source...>",
    description: "propose a policy for a source; only names and types are read, never a value",
    load: async () => [(await import("./owner/init.ts")).addInit],
  },
  {
    name: "source-role",
    usage: "[options] <source>",
    description: "print the SQL of a role that may read the data of a server and do nothing else",
    load: async () => [(await import("./owner/source-role.ts")).addSourceRole],
  },
  {
    name: "check",
    usage: "[options] [policy]",
    description: "say everything that is wrong with a policy, or what it allows",
    load: async () => [(await import("./owner/check.ts")).addCheck],
  },
  {
    name: "risk",
    usage: "[options] [file]",
    description: "see whether people can be found in a table; exact, for the owner alone",
    load: async () => [(await import("./owner/risk.ts")).addRisk],
  },
  {
    name: "advise",
    usage: "[options]",
    description: "find an epsilon for a question and what is tolerable; free, and reads no data",
    load: async () => [(await import("./owner/advise.ts")).addAdvise],
  },
  {
    name: "prepare",
    usage: "[options]",
    description:
      "copy the data once in an order that makes questions faster; the first question does it by itself",
    load: async () => [(await import("./owner/prepare.ts")).addPrepare],
  },
  {
    name: "ask",
    usage: "[options] [sql]",
    description: "answer a question in SQL and charge for it; without one, open a prompt",
    load: async () => [(await import("./ask/ask.ts")).addAsk],
  },
  {
    name: "explain",
    usage: "[options] <sql>",
    description: "say what a question would cost and how far off its answer may be; free",
    load: async () => [(await import("./ask/explain.ts")).addExplain],
  },
  {
    name: "plan",
    usage: "[options] <file>",
    description: "plan several questions together for one allowance; free, unless they are released",
    load: async () => [(await import("./ask/plan.ts")).addPlan],
  },
  {
    name: "series",
    usage: "",
    description: "running totals that grow with the data, such as cases by week; paid for once",
    load: async () => [(await import("./ask/series.ts")).addSeries],
  },
  {
    name: "synth",
    usage: "[options]",
    description: "make rows like those of a table, of nobody in it; --explain says what that costs, free",
    load: async () => [(await import("./ask/synth.ts")).addSynth],
  },
  {
    name: "train",
    usage: "[options]",
    description: "train a model on rows that nobody sees; --explain says what that costs, free",
    load: async () => [(await import("./ask/train.ts")).addTrain],
  },
  {
    name: "predict",
    usage: "[options] <rows>",
    description:
      "tell what a trained model expects of the rows of a CSV file, or where they lie; costs nothing",
    load: async () => [(await import("./ask/predict.ts")).addPredict],
  },
  {
    name: "budget",
    usage: "[options]",
    description: "show what is spent and what is left",
    load: async () => [
      (await import("./ask/budget.ts")).addBudget,
      (await import("./governance/raise.ts")).addRaise,
    ],
  },
  {
    name: "receipts",
    usage: "[options]",
    description: "list what was charged, when, for whom and for which plan",
    load: async () => [(await import("./ask/receipts.ts")).addReceipts],
  },
  {
    name: "ledger",
    usage: "",
    description: "look after the ledger",
    load: async () => [(await import("./owner/ledger.ts")).addLedger],
  },
  {
    name: "local",
    usage: "",
    description: "the local model: devices add the noise themselves",
    load: async () => [(await import("./owner/local.ts")).addLocal],
  },
  {
    name: "user",
    usage: "",
    description: "look after the accounts of the server",
    load: async () => [(await import("./governance/user.ts")).addUser],
  },
  {
    name: "token",
    usage: "",
    description: "look after the tokens of programs",
    load: async () => [(await import("./governance/token.ts")).addToken],
  },
  {
    name: "study",
    usage: "",
    description: "propose, review, open and close studies",
    load: async () => [(await import("./governance/study.ts")).addStudy],
  },
  {
    name: "consent",
    usage: "",
    description: "hand in and look up what people decided about the use of their data",
    load: async () => [(await import("./governance/consent.ts")).addConsent],
  },
  {
    name: "airlock",
    usage: "",
    description: "look at releases that wait for an approval, and approve or refuse them",
    load: async () => [(await import("./governance/airlock.ts")).addAirlock],
  },
  {
    name: "incidents",
    usage: "[options] [acknowledge] [positions...]",
    description: "see what failed after it was charged, and open again what that has closed",
    load: async () => [(await import("./owner/incidents.ts")).addIncidents],
  },
  {
    name: "audit",
    usage: "[options]",
    description: "show who did what: questions, decisions, accounts, studies",
    load: async () => [(await import("./governance/audit.ts")).addAudit],
  },
  {
    name: "serve",
    usage: "[options]",
    description: "let people ask over HTTP and by psql, each by an account of their own",
    load: async () => [(await import("./serve/serve.ts")).addServe],
  },
  {
    name: "node",
    usage: "",
    description: "take part in a study over several sites; dials out only, and asks before every job",
    load: async () => [(await import("./federation/node.ts")).addNode],
  },
  {
    name: "coordinator",
    usage: "",
    description: "lead a study over several sites: invite them, and carry what they agree to",
    load: async () => [(await import("./federation/coordinator.ts")).addCoordinator],
  },
]
