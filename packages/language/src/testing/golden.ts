// Golden files (.sqlt): a comment, the SQL, then sections with what each stage makes of it, and `====`. A
// case holds the sections that it is about; an error has its own section and excludes all others.

import { DosimeterError } from "@dosimeter/core"
import { drawError } from "../text/caret.ts"
import { sourceText } from "../text/source.ts"

/** One case of a golden file. */
export interface GoldenCase {
  /** The comment above the SQL, with its `#`. */
  readonly comment: string
  readonly sql: string
  readonly sections: readonly Section[]
  /** The line of the file where the case begins. */
  readonly line: number
}

/** What a stage is expected to print. */
export interface Section {
  readonly name: string
  readonly text: string
}

/** From the name of a section to the stage that prints it. */
export type Stages = Readonly<Record<string, (sql: string) => string>>

const end = "\n====\n"

/** Reads a golden file. */
export function readGolden(text: string): readonly GoldenCase[] {
  const cases: GoldenCase[] = []
  let line = 1
  for (const piece of text.split(end)) {
    const block = piece.replace(/^\n+/, "")
    if (block.trim() !== "") cases.push(readCase(block, line + piece.length - block.length))
    line += piece.split("\n").length + 1
  }
  return cases
}

function readCase(block: string, line: number): GoldenCase {
  const [head = "", ...rest] = `${block}\n`.split(/^---- /m)
  const comment = head.match(/^(#.*\n)*/)?.[0].trimEnd() ?? ""
  const sql = head.slice(comment.length).replace(/^\n/, "").replace(/\n$/, "")
  const sections = rest.map((section) => {
    const [name = "", ...lines] = section.split("\n")
    return { name, text: lines.join("\n").trimEnd() }
  })
  return { comment, sql, sections, line }
}

/** What the stages make of a case now: the sections that it has, or a default one, or the error. */
export function runGolden(
  { sql, sections }: GoldenCase,
  stages: Stages,
  fallback: string,
): readonly Section[] {
  const wanted = sections.map(({ name }) => name).filter((name) => name !== "error")
  try {
    return (wanted.length === 0 ? [fallback] : wanted).map((name) => {
      const stage = stages[name]
      if (stage === undefined) throw new Error(`there is no section ${name}`)
      return { name, text: stage(sql) }
    })
  } catch (error) {
    // A refusal is an outcome like any other; everything else is a failure of the test.
    if (!(error instanceof DosimeterError)) throw error
    return [{ name: "error", text: drawError(error, sourceText(sql)) }]
  }
}

/** Writes cases the way they are read. */
export function writeGolden(cases: readonly GoldenCase[]): string {
  return cases.map((one) => `${writeCase(one)}${end}`).join("\n")
}

function writeCase({ comment, sql, sections }: GoldenCase): string {
  const parts = sections.map(({ name, text }) => `---- ${name}\n${text}`)
  return [...(comment === "" ? [] : [comment]), sql, ...parts].join("\n")
}
