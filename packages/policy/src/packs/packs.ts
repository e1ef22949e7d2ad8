// Schema packs by name: what is known about the tables of a common data model.

import type { Span } from "@dosimeter/core"
import type { TableSpec } from "../file/specs.ts"
import { omop53 } from "./omop-5.3.ts"
import { omop54 } from "./omop-5.4.ts"
import { parsePack } from "./parse-pack.ts"

/** A pack. */
export interface Pack {
  readonly name: string
  readonly unitName: string
  /** Its tables; `at` is the place in the policy that asks for the pack. */
  readonly tables: (at: Span) => readonly TableSpec[]
}

const packs: readonly Pack[] = [
  { name: "omop-5.4", unitName: "person", tables: (at) => parsePack(omop54, at) },
  { name: "omop-5.3", unitName: "person", tables: (at) => parsePack(omop53, at) },
]

/** The names of all packs. */
export const packNames: readonly string[] = packs.map(({ name }) => name)

/** The pack of a name, if there is one. */
export function packNamed(name: string): Pack | undefined {
  return packs.find((pack) => pack.name === name)
}
