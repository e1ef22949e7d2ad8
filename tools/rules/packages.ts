// The packages of the repository, lower ones first.

import { packageOrder, readOrder } from "./import-policy.ts"
import { listFiles } from "./repo.ts"

/** The names of the packages that exist, each after those that it may import. */
export function packageNames(): readonly string[] {
  const below = readOrder(packageOrder)
  return listFiles("packages")
    .map((path) => /^packages\/([^/]+)\/package\.json$/.exec(path)?.[1])
    .filter((name) => name !== undefined)
    .toSorted((a, b) => (below.get(a)?.size ?? 0) - (below.get(b)?.size ?? 0))
}
