// What one question may take of the machine: there is always a limit.

import { groupKeys } from "../file/keys.ts"
import type { Resources } from "../file/policy.ts"
import { fieldsOf, optional, wholeIn, type Fields } from "../file/shapes.ts"

const defaults = { seconds: 300, memoryMb: 2000 } as const

/** The resources of a policy; the defaults where it says nothing. */
export function readResources(fields: Fields): Resources {
  const node = optional(fields, "resources")
  if (node === undefined) return defaults
  const at = fields.entries.get("resources")?.key.at ?? fields.at
  const own = fieldsOf(node, { where: "resources", known: groupKeys.resources, at }, fields.report)
  const read = (key: string, min: bigint, max: bigint): number | undefined => {
    const value = own === undefined ? undefined : optional(own, key)
    if (value === undefined) return undefined
    const found = wholeIn(value, `${key} of resources`, { min, max }, fields.report)
    return found === undefined ? undefined : Number(found)
  }
  const threads = read("threads", 1n, 1024n)
  const rowsPerUnit = read("rows_per_unit", 1000n, 100_000_000n)
  return {
    seconds: read("seconds", 1n, 86_400n) ?? defaults.seconds,
    memoryMb: read("memory_mb", 100n, 10_000_000n) ?? defaults.memoryMb,
    ...(threads === undefined ? {} : { threads }),
    ...(rowsPerUnit === undefined ? {} : { rowsPerUnit }),
  }
}
