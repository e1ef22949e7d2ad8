// Every exception to the rules of tools/rules/tidy-rules.ts, with its reason. An exception that is no longer
// needed fails the test too, so the table only shrinks by itself.

import type { RuleName } from "./tidy-rules.ts"

/** Frees one file from one rule. */
export interface Exception {
  readonly file: string
  readonly rule: RuleName
  readonly reason: string
}

/** All exceptions. */
export const exceptions: readonly Exception[] = [
  {
    file: "packages/core/src/mechanisms/events-of.test.ts",
    rule: "imports",
    reason: "builds a spec of every mechanism",
  },
  {
    file: "packages/core/src/accounting/calibrate.ts",
    rule: "float-math",
    reason: "guesses where to search; what is returned is certified by the accountant that it names",
  },
  {
    file: "packages/core/src/accounting/conversions/optimal-composition.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: error bounds beside the code; no charge is worked out with it",
  },
  {
    file: "packages/core/src/accounting/distributions/compose-pld.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: roundings are bounded beside the code; no charge depends on it",
  },
  {
    file: "packages/core/src/accounting/distributions/discretize.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: both bounds are widened by more than doubles lose",
  },
  {
    file: "packages/core/src/accounting/distributions/fft.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: compose-pld.ts bounds its roundings",
  },
  {
    file: "packages/core/src/accounting/distributions/loss-law.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: discretize.ts widens what it gives",
  },
  {
    file: "packages/core/src/accounting/distributions/pld.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: a guess of how fine the lattice must be",
  },
  {
    file: "packages/core/src/accounting/distributions/single-atoms.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: its slack is above what doubles lose (proof beside it)",
  },
  {
    file: "packages/core/src/accounting/distributions/single-sample.ts",
    rule: "float-math",
    reason: "roots found in doubles, certified with tails that are rounded outward",
  },
  {
    file: "packages/core/src/accounting/distributions/tilt.ts",
    rule: "float-math",
    reason: "chooses a tilt; every tilt gives valid bounds",
  },
  {
    file: "packages/core/src/accounting/laplace-curve.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: the curve is raised by more than doubles lose",
  },
  {
    file: "packages/core/src/accounting/renyi.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: curves are raised by more than doubles lose",
  },
  {
    file: "packages/core/src/accounting/subsampled-renyi.ts",
    rule: "float-math",
    reason: "for batches declared beforehand: terms of one sign, raised by more than doubles lose",
  },
  {
    file: "packages/core/src/accounting/what-if.ts",
    rule: "float-math",
    reason: "shows what a batch would cost by each accountant; nothing is charged by it",
  },
  {
    file: "packages/core/src/collect/channel.test.ts",
    rule: "imports",
    reason: "walks through every protocol",
  },
  { file: "packages/core/src/collect/study.test.ts", rule: "imports", reason: "a study of every kind" },
  {
    file: "packages/core/src/local/read-protocol.test.ts",
    rule: "imports",
    reason: "reads every protocol",
  },
  { file: "packages/engine/src/errors.ts", rule: "file-length", reason: "a table: one row an error" },
  {
    file: "packages/engine/src/ledger/chain-ledger.ts",
    rule: "file-length",
    reason: "one class, the ledger's only door to its store: every call of it takes the same turn",
  },
  {
    file: "packages/engine/src/ledger/ledger-state.ts",
    rule: "file-length",
    reason: "one fold over all kinds of entries",
  },
  {
    file: "packages/web/src/strings/en.ts",
    rule: "imports",
    reason: "lists the texts of all screens, a file each",
  },
  {
    file: "packages/web/src/strings/zh.ts",
    rule: "imports",
    reason: "lists the texts of all screens, a file each",
  },
  { file: "packages/engine/src/engine.ts", rule: "imports", reason: "puts the parts of an engine together" },
  {
    file: "packages/engine/src/federation/attacks.test.ts",
    rule: "imports",
    reason: "attacks every part of a job",
  },
  {
    file: "packages/server/src/doors/http/routes/routes.ts",
    rule: "imports",
    reason: "the list of all subjects, a line each",
  },
  { file: "packages/engine/src/federation/site.ts", rule: "imports", reason: "the walk of a site" },
  { file: "packages/engine/src/federation/coordinator.ts", rule: "imports", reason: "the walk of a job" },
  {
    file: "packages/engine/src/federation/federation.test.ts",
    rule: "imports",
    reason: "both ends of a job, over real datasets",
  },
  {
    file: "packages/engine/src/ask/run-query.ts",
    rule: "imports",
    reason: "the walk of a query on one page",
  },
  {
    file: "packages/proof/src/print/guard.node.test.ts",
    rule: "function-length",
    reason: "a table: one line a form",
  },
  { file: "packages/server/src/main.ts", rule: "header", reason: "a command begins with #!" },
  {
    rule: "dead-file",
    file: "packages/server/src/testing/consortium-node.ts",
    reason: "tests start it as a process of its own",
  },
  {
    rule: "imports",
    file: "packages/server/src/testing/consortium.ts",
    reason: "puts a coordinator and nodes together from all their parts",
  },
  {
    file: "packages/server/src/doors/pgwire/catalog/catalog-process.ts",
    rule: "dead-file",
    reason: "catalog-database.ts starts it as a process",
  },
  {
    file: "packages/server/src/testing/openid-provider-process.ts",
    rule: "dead-file",
    reason: "openid-provider.ts starts it as a process",
  },
  {
    file: "tools/mutants/mutant-worker.ts",
    rule: "dead-file",
    reason: "run-mutants.ts starts it as a process",
  },
  { file: "tools/mutants/mutants.ts", rule: "file-length", reason: "a table: one row a planted bug" },
  { file: "tools/rules/tidy-rules.ts", rule: "banned-words", reason: "names the words that it bans" },
  { file: "tools/rules/tidy.test.ts", rule: "banned-words", reason: "shows the words that are banned" },
]
