// What a screen says when it has nothing to show: loading, empty, refused, wrong. In both languages.

import { expect, test } from "vitest"
import type { Trouble } from "../../api/trouble.ts"
import { catalogues } from "../../strings/use-strings.ts"
import { languages, markupOf, textOf } from "../../testing/shown.tsx"
import { Empty, Loading, Notice, TroubleNotice } from "./notice.tsx"

const trouble: Trouble = {
  kind: "invalid",
  code: "x/unknown",
  message: "there is no table persons",
  help: "write person",
  others: [],
}

test.each(languages)("something on its way says so, and a reader of screens hears it: %s", (language) => {
  expect(textOf(<Loading />, language)).toBe(catalogues[language].app.loading)
  expect(textOf(<Loading what="Reading" />, language)).toBe("Reading")
  expect(markupOf(<Loading />, language)).toContain('role="status"')
})

test("nothing yet says what to do, where there is something to do", () => {
  expect(textOf(<Empty title="No studies" help="Propose one." />)).toBe("No studies\nPropose one.")
  expect(markupOf(<Empty title="No studies" />)).not.toContain("<p>")
  expect(markupOf(<Notice>x</Notice>)).toContain('role="note"')
})

test("clauses of the server become sentences, once", () => {
  const shown = (message: string): string | undefined =>
    textOf(<TroubleNotice trouble={{ ...trouble, message }} />).split("\n")[1]
  expect(shown("there is no table persons")).toBe("There is no table persons.")
  expect(shown("Is it there?")).toBe("Is it there?")
  expect(shown("这里没有表")).toBe("这里没有表。")
})

test.each(languages)(
  "a trouble has its kind, the remedy, its code, and whether it was free: %s",
  (language) => {
    const { trouble: said, app } = catalogues[language]
    const all = textOf(<TroubleNotice trouble={trouble} free onRetry={() => {}} />, language)
    for (const part of [said.invalid, said.whatToDo, "write person", said.free, "x/unknown", app.tryAgain])
      expect(all).toContain(part)
    const bare = textOf(<TroubleNotice trouble={{ ...trouble, help: undefined }} />, language)
    for (const part of [said.whatToDo, said.free, app.tryAgain]) expect(bare).not.toContain(part)
  },
)

test("everything that is wrong is listed, each with its remedy", () => {
  const others = [
    { code: "a/b", message: "second", help: "mend it" },
    { code: "a/c", message: "third", help: undefined },
  ]
  const text = textOf(<TroubleNotice trouble={{ ...trouble, others }} />)
  expect(text).toContain("Second.\nmend it\nThird.")
})

test("what only pages say is said in the language of the page", () => {
  for (const code of ["web/no-answer", "web/unexpected"]) {
    const text = textOf(<TroubleNotice trouble={{ ...trouble, code, help: undefined }} />, "zh")
    expect(text, code).not.toContain("There is no table persons")
  }
})
