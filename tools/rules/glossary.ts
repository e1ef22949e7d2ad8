// The glossary as data: which words are not said, and where names of folders, files and exports say them.

import type { RepoFile } from "./repo.ts"
import { isTest } from "./repo.ts"
import { parseSource, topLevels } from "./syntax.ts"

/** A name that has a word of the column "do not say". */
export interface Slip {
  readonly word: string
  /** `packages/x/src/y.ts#name`, or the path of a file. */
  readonly at: string
}

/** The words that are not said: the last column of every table, without remarks in brackets. */
export function wordsNotSaid(glossary: string): readonly string[] {
  return [...glossary.matchAll(/^\| (?!term \||---).* \| ?(.*?) ?\|$/gm)]
    .flatMap(([, cell = ""]) => cell.replaceAll(/\([^)]*\)/g, "").split(","))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "")
}

/** Words that are explained in two rows, where a row does not say of what: `share (of a loss)`. */
export function termsTwice(glossary: string): readonly string[] {
  const terms = [...glossary.matchAll(/^\| (?!term \||---)(.*?) \|/gm)].flatMap(([, cell = ""]) =>
    cell.split(",").map((term) => term.trim()),
  )
  const bare = (term: string): string => term.replace(/ \(.*\)$/, "")
  const words = new Set(terms.map(bare))
  return [...words].filter((word) => {
    const of = terms.filter((term) => bare(term) === word)
    return of.length > 1 && (of.includes(word) || new Set(of).size < of.length)
  })
}

/** Where paths and exports of packages say one of the words, as a whole word of a name. */
export function slipsIn(files: readonly RepoFile[], words: readonly string[]): readonly Slip[] {
  return files
    .filter(({ path }) => /^packages\/[a-z]+\/src\//.test(path) && !isTest(path))
    .flatMap((file) => {
      const exported = topLevels(parseSource(file)).filter((top) => top.exported)
      const names = [
        { at: file.path, name: file.path.replace(/^packages\/[a-z]+\/src\//, "").replace(/\.tsx?$/, "") },
        ...exported.map(({ name }) => ({ at: `${file.path}#${name}`, name })),
      ]
      return names.flatMap(({ at, name }) => {
        const said = ` ${wordsOf(name).join(" ")} `
        return words.filter((word) => said.includes(` ${word} `)).map((word) => ({ word, at }))
      })
    })
}

/** The words of a path or an identifier: `keptTable` and `kept-table` are two each. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "")
}
