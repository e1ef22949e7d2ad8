// Plants the bug named by MUTANT while Vitest loads the sources. The files on disk are never touched, so two
// mutants can run at the same time and an interrupted run leaves nothing behind.

import { join } from "node:path"
import type { Plugin } from "vitest/config"
import { mutants, type Mutant } from "./mutants.ts"
import { root } from "../rules/repo.ts"

/** The plugin; it does nothing while the environment names no mutant. */
export function mutatePlugin(): Plugin {
  return {
    name: "dosimeter-mutate",
    enforce: "pre",
    transform(code, id) {
      const name = process.env["MUTANT"] ?? ""
      if (name === "") return undefined
      const mutant = mutants.find((row) => row.name === name)
      if (mutant === undefined) throw new Error(`tools/mutants/mutants.ts has no mutant ${name}`)
      if (id.split("?")[0] !== join(root, mutant.file)) return undefined
      return { code: mutate(mutant, code), map: null }
    },
  }
}

/** The changed text; refuses a row whose `find` is absent or ambiguous. */
export function mutate(mutant: Mutant, text: string): string {
  const parts = text.split(mutant.find)
  if (parts.length !== 2) {
    throw new Error(
      `${mutant.name}: the text to find occurs ${parts.length - 1} times in ${mutant.file}, not once`,
    )
  }
  return parts.join(mutant.replace)
}
