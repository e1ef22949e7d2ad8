// Which data a dataset is about: one mark for each place in which rows about people lie. Two datasets with a
// mark in common are about the same people. A mark stands for a place, not for what lies there: a new version
// of the data has the same marks, and a copy elsewhere has others.

import type { Policy } from "@dosimeter/policy/file/policy"
import { createHash } from "node:crypto"
import { databaseOf } from "../databases.ts"

/** The marks of a dataset's source; paths in the policy begin at `folder`. */
export function sourceMarks({ source, catalog }: Policy, folder: string): readonly string[] {
  const places = databaseOf(source).places(catalog, folder)
  return [...new Set(places.map(markOf))].toSorted()
}

function markOf(place: string): string {
  return createHash("sha256").update(`dosimeter/source\n${place}`).digest("hex").slice(0, 32)
}
