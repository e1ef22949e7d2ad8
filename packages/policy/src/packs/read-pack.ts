// The schema pack that a policy builds on.

import type { Span } from "@dosimeter/core"
import { suggest } from "../file/closest.ts"
import { packNamed, packNames, type Pack } from "./packs.ts"
import { optional, textIn, type Fields } from "../file/shapes.ts"

/** The pack, if one is named, and where the policy names it. */
export function readPack(fields: Fields): { readonly pack: Pack | undefined; readonly at: Span } {
  const node = optional(fields, "schema")
  const written = node === undefined ? undefined : textIn(node, "schema", fields.report)
  const at = written?.at ?? fields.at
  if (written === undefined) return { pack: undefined, at }
  const pack = packNamed(written.text)
  if (pack === undefined) {
    const known = suggest(written.text, packNames)
    fields.report.add("policy/unknown-pack", { name: written.text, known }, at)
  }
  return { pack, at }
}
