// Which way the arrows point. The table is the policy: what it does not allow is an error, type imports
// included. `a < b` means that b may import a, and whatever a may import; `b !> a` takes one arrow away
// again. tools/deps.test.ts holds every file to it.

/** Between packages. A name stands for `@dosimeter/name`. Besides, web may import `clientFile`. */
export const packageOrder: readonly string[] = ["core < sql, ml < engine < server", "core, sql < web"]

/** The typed client of the HTTP interface, `@dosimeter/server/client`: nothing of Node is in it. */
export const clientFile = "packages/server/src/http/client.ts"

/**
 * Between the folders (and loose files) of each package's `src`. `index` may import everything but `testing`.
 */
export const folderOrder: Readonly<Record<string, readonly string[]>> = {
  core: [
    "errors < exact < random < noise",
    "exact < privacy < accounting",
    "noise, accounting < mechanisms < meaning, distributed",
    "random < local",
    "local, postprocess < collect",
    "privacy < postprocess",
    "postprocess !> mechanisms, noise",
  ],
  sql: [
    "errors < text < parse",
    "text < catalog < ir",
    "catalog < policy",
    "parse, ir < bind",
    "ir < analyze < plan, verify",
    "ir < print",
    "ir < evaluate < compile",
    "analyze, evaluate < reuse < compile < workload, series, learn, learn-groups",
    "bind, plan, verify, print, policy < compile",
    "bind, plan, print < prepare",
  ],
  ml: ["errors < matrix < clip < sgd, linear, trees, clustering, synthetic"],
  engine: [
    "errors < exact < backend",
    "errors, version < execute < series-commands < engine",
    "errors < postgres < ledger < lineage < open-ledger < open-accounts < engine",
    "dataset < lineage",
    "errors < dataset < policy, ledger, backend < execute < federation, training",
    "dataset, backend < prepare < engine",
    "engine < stages",
    "backend, prepare !> ledger",
  ],
  server: [
    "request-errors, governance-errors < errors < config < governance < http, pgwire, federation < cli < main",
    "errors < answers < governance",
    "governance < collector < http",
    "errors < demo < cli",
  ],
  web: ["strings < api < workers < charts < components < pages < app < main"],
}

/** Packages that run anywhere: no input or output, no clock, and nothing of Node in them. */
export const purePackages: readonly string[] = ["core", "sql", "ml"]

/** The folders whose bugs break privacy; stricter rules hold there. */
export const trustedBase: Readonly<Record<string, readonly string[]>> = {
  core: ["exact", "random", "noise", "privacy", "accounting", "mechanisms", "local"],
  sql: ["analyze", "verify", "print"],
  engine: ["ledger", "execute"],
}

/** The only files that may be called index.ts. Inside a package, import the file that holds the name. */
export const indexFiles: readonly RegExp[] = [
  /^packages\/[a-z]+\/src\/index\.ts$/,
  /^packages\/core\/src\/(testing|local|collect)\/index\.ts$/,
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
