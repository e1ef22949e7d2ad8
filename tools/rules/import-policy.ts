// Which way the arrows point. The table is the policy: what it does not allow is an error, type imports
// included. `a < b` means that b may import a, and whatever a may import; `b !> a` takes one arrow away
// again. tools/rules/deps.test.ts holds every file to it.

/**
 * Between packages. A name stands for `@dosimeter/name`. Besides, web may import `clientFile`, and tests of a
 * pure package any other pure one: the plans that proof is tried on are made by the planner.
 */
export const packageOrder: readonly string[] = [
  "core < proof < language, answers",
  "language < policy",
  "language, answers < planner",
  "core < ml",
  "policy, planner, ml < engine < server",
  "policy, planner < web",
]

/** Packages whose files are doors, `@dosimeter/name/folder/file`: nobody loads more than is used. */
export const fileDoors: readonly string[] = ["proof", "language", "policy", "answers", "planner", "ml"]

/** The typed client of the HTTP interface, `@dosimeter/server/client`: nothing of Node is in it. */
export const clientFile = "packages/server/src/doors/http/contract/client.ts"

/**
 * The door for auditors, `@dosimeter/engine/testing`: a dataset asked on ledgers in memory. Only tests,
 * benchmarks, tools and examples import it, so that nothing that serves a dataset can answer beside its
 * ledger.
 */
export const auditFile = "packages/engine/src/audit/index.ts"

/** What reads tables exactly and without a charge: the owner's risk report. */
export const ownerFiles: readonly RegExp[] = [
  /^packages\/engine\/src\/risk\//,
  /^packages\/engine\/src\/dataset\/duckdb\/exact-rows\.ts$/,
  /^packages\/engine\/src\/dataset\/postgres\/export-rows\.ts$/,
]

/** Who may import `ownerFiles`, besides tests: the report itself, and the owner's ways to it. */
export const ownerReaders: readonly RegExp[] = [
  /^packages\/engine\/src\/risk\//,
  /^packages\/server\/src\/risk\//,
  /^packages\/server\/src\/doors\/cli\/(owner\/risk|show\/show-risk)\.ts$/,
  /^packages\/server\/src\/doors\/http\/routes\/risks\.ts$/,
]

/**
 * Between the folders (and loose files) of each package's `src`. `index` may import everything but `testing`.
 */
export const folderOrder: Readonly<Record<string, readonly string[]>> = {
  core: [
    "errors < exact < random < noise",
    "noise/generated < noise",
    "exact < privacy < accounting/distributions",
    "exact < accounting/conversions < accounting/distributions < accounting",
    "noise, accounting < mechanisms/shared < mechanisms/additive < mechanisms/keys < mechanisms",
    "mechanisms/shared < mechanisms/tables, mechanisms/quantiles, mechanisms/choices < mechanisms",
    "mechanisms < meaning, distributed",
    "random < local",
    "local, post/consistency < collect",
    "exact < post/estimates < post/consistency < post/population < post",
    "post/estimates < post/noise < post",
    "exact < post/tables < post",
  ],
  proof: [
    "catalog < functions < algebra < units < work < verify/extracts < verify/measurements < verify",
    "units < verify/shapes < verify",
    "functions < dialects < spell",
    "errors < units",
    "errors, spell, verify < print",
  ],
  language: [
    "errors < text < parse < bind/scope < bind/exprs < bind/calls < bind/aggregates < bind/groups, bind/windows",
    "bind/exprs < bind/from",
    "bind/from, bind/groups < bind/subqueries",
    "bind/subqueries, bind/windows < bind",
  ],
  policy: ["errors < file < build, packs", "build, packs < read", "packs < propose"],
  answers: ["values < cells < intervals, estimates < evaluate < reuse", "measurements < reuse", "shown"],
  planner: [
    "errors < loss < keys < aggregates/errors < aggregates < extracts < copies < strategies < question < compile",
    "compile < series, workload, learn",
    "aggregates < explain/words < explain < workload",
  ],
  ml: [
    "errors < grid < regression, synthetic",
    "errors < columns",
    "errors < rounds",
    "columns, rounds < boosting, sgd, bayes, clustering, forest, survival",
    "grid, regression < boosting, bayes, clustering, components",
    "columns, grid < spread < clustering, components",
    "columns, grid, rounds < components",
    "matrix/generated < matrix < sgd",
    "regression, boosting, sgd, bayes, clustering, components, forest, spread < export",
  ],
  engine: [
    "errors < release/key < release/secret < dataset < dataset/duckdb < databases < prepare < engine < stages",
    "errors < postgres < ledger",
    "dataset, postgres < dataset/postgres < databases",
    "ledger/entries < ledger < ledger/stores < lineage < engine",
    "databases < lineage",
    "dataset, ledger < release/measurements < release < answer/strategies < answer < record < ask < series < engine",
    "ledger < receipts < record",
    "ledger/entries < federation/sums < federation",
    "ask, dataset/duckdb < synthetic < engine",
    "ask < training < federation < engine",
    "dataset < dataset/trino < databases",
    "dataset/trino !> release/key, ledger, ledger/entries, ledger/stores",
    "prepare, lineage, engine, stages, audit !> dataset/trino",
    "errors < federation/sums < federation",
    "engine < audit",
    "engine < risk/measures < risk/attacks < risk",
    "risk, risk/measures, risk/attacks !> release/key, release/secret",
    "answer, record, ask, series, synthetic, training, federation, federation/sums !> release/secret",
    // Whoever holds the key opens exact tables: the folder release, and nobody above or below it.
    "dataset, dataset/duckdb, dataset/postgres, databases, prepare, lineage, answer, record, ask !> release/key",
    "series, synthetic, training, federation, federation/sums, engine !> release/key",
    "stages, audit, release/measurements, answer/strategies !> release/key",
    "dataset, dataset/duckdb, dataset/postgres, databases, prepare !> ledger, ledger/entries, ledger/stores",
    // One file knows which databases there are; whoever asks knows the interface.
    "prepare, lineage, engine, stages, audit !> dataset/duckdb, dataset/postgres",
  ],
  server: [
    "request-errors, governance-errors, federation-errors < errors < answers, state, demo",
    "limits < questions",
    "state < audit < people < studies < consent",
    "answers < studies < questions",
    "audit < collector",
    "errors < federation/wire",
    "state < federation/mail",
    "limits, audit, federation/wire, federation/mail < federation/coordinator",
    "studies, federation/wire, federation/mail < federation/node",
    "federation/coordinator, federation/node < doors/cli/federation",
    "doors/cli/session, doors/cli/governance, doors/cli/serve, doors/http < doors/cli/federation < doors/cli",
    "federation/coordinator, federation/node < doors/http/services",
    "people < doors/http/contract",
    "questions < doors/http/services",
    "doors/http/contract, studies < doors/http/pages",
    "doors/http/contract, doors/http/services, consent < doors/http/request",
    "doors/http/request, doors/http/pages, collector < doors/http/routes < doors/http",
    "answers < doors/pgwire/wire < doors/pgwire/commands, doors/pgwire/catalog < doors/pgwire/session",
    "limits, people < doors/pgwire/session",
    "doors/pgwire/session, questions < doors/pgwire",
    "consent < doors/cli/session < doors/cli/show < doors/cli/ask, doors/cli/governance",
    "questions < doors/cli/ask",
    "doors/cli/governance < doors/cli/owner",
    "errors < risk < doors/cli/show, doors/http/routes",
    "doors/cli/ask, doors/http, doors/pgwire, demo < doors/cli/serve",
    "doors/cli/owner, doors/cli/serve < doors/cli < main",
    "collector/generated < collector",
    "doors/http/contract !> errors, state, audit",
  ],
  web: [
    "strings/en/lab < strings/en < strings/zh/lab < strings/zh < strings < api < workers, charts",
    "api < parts/widgets < parts/browser",
    "parts/widgets < parts/studies",
    "charts, parts/browser < parts/figures",
    "parts/figures < screens/accounts, screens/audit, screens/budget, screens/campaigns, screens/datasets",
    "parts/figures < screens/advise, screens/federation, screens/releases, screens/sign-in",
    "parts/figures < screens/lab/parts < screens/lab/chapters < screens/lab",
    "workers, parts/figures, parts/studies < screens/ask",
    "parts/figures, parts/studies < screens/consent, screens/reviews, screens/studies, screens/voices",
    "parts/figures, parts/studies < screens/models, screens/synthetic",
    "screens/advise, screens/voices < app",
    "screens/accounts, screens/ask, screens/audit, screens/budget, screens/campaigns, screens/consent < app",
    "screens/datasets, screens/federation, screens/lab, screens/releases, screens/reviews < app",
    "screens/models, screens/sign-in, screens/studies, screens/synthetic < app",
    "app < main",
  ],
}

/**
 * Trusted folders of a package that is not trusted as a whole, with what is below them: of other packages
 * they import core and proof, so that no promise depends on shapes of code that is not trusted.
 */
export const narrowFolders: Readonly<Record<string, readonly string[]>> = {
  engine: ["release", "ledger"],
}

/** Libraries that one room of a package speaks to, by package. Besides, tests and `testing` import them. */
export const libraryRooms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  engine: { "@duckdb/node-api": "dataset/duckdb" },
}

/** Packages that run anywhere: no input or output, no clock, and nothing of Node in them. */
export const purePackages: readonly string[] = [
  "core",
  "proof",
  "language",
  "policy",
  "answers",
  "planner",
  "ml",
]

/**
 * What breaks privacy if it is wrong: folders (with what is below them) and single files of each package's
 * `src`; "." is all of it. Stricter rules hold there, and packages/proof/README.md says what each is trusted
 * with. `prepare` is in it because verify takes copies as they were defined (and print/print-copy.ts writes
 * their SQL); check-extract.ts because it is the second guard of what comes back from a database.
 */
export const trustedBase: Readonly<Record<string, readonly string[]>> = {
  core: ["exact", "random", "noise", "privacy", "accounting", "mechanisms", "distributed", "local"],
  proof: ["."],
  engine: ["ledger", "release", "prepare", "federation/sums", "dataset/check-extract.ts"],
}

/** Whether a source file is part of the trusted base; tests and testing helpers are none. */
export function isTrusted(path: string): boolean {
  const [, owner = "", inner = ""] = /^packages\/([^/]+)\/src\/(.+)$/.exec(path) ?? []
  if (/^testing\/|\.test\.tsx?$/.test(inner)) return false
  return (trustedBase[owner] ?? []).some(
    (place) => inner !== "" && (place === "." || inner === place || inner.startsWith(`${place}/`)),
  )
}

/** The only files that may be called index.ts. Inside a package, import the file that holds the name. */
export const indexFiles: readonly RegExp[] = [
  /^packages\/[a-z]+\/src\/index\.ts$/,
  /^packages\/core\/src\/(errors|exact|noise|accounting|mechanisms|distributed|post|meaning)\/index\.ts$/,
  /^packages\/core\/src\/(local|collect|testing)\/index\.ts$/,
  /^packages\/engine\/src\/(audit|risk)\/index\.ts$/,
]

/** Reads a table such as the ones above: from a name to all names that it may import. */
export function readOrder(lines: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const below = new Map<string, Set<string>>()
  const forbidden: (readonly [string, string])[] = []
  const names = (text: string): string[] => text.split(",").map((name) => name.trim())
  for (const line of lines) {
    if (line.includes("!>")) {
      const [upper = "", lower = ""] = line.split("!>")
      forbidden.push(...names(upper).flatMap((above) => names(lower).map((under) => [above, under] as const)))
      continue
    }
    const groups = line.split("<").map(names)
    for (const [index, group] of groups.entries()) {
      for (const name of group) {
        const set = below.get(name) ?? new Set()
        for (const under of groups[index - 1] ?? []) set.add(under)
        below.set(name, set)
      }
    }
  }
  const closed = new Map([...below.keys()].map((name) => [name, everythingBelow(name, below)]))
  for (const [above, under] of forbidden) closed.get(above)?.delete(under)
  return closed
}

function everythingBelow(name: string, below: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>()
  const visit = (at: string): void => {
    for (const under of below.get(at) ?? []) {
      if (reached.has(under)) continue
      reached.add(under)
      visit(under)
    }
  }
  visit(name)
  return reached
}
