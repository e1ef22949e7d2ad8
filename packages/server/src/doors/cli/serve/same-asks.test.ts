// What a question is asked with is the same, whether it is typed as options, sent as fields or set.

import type { Ask } from "@dosimeter/proof/catalog/terms"
import { expect, test } from "vitest"
import { questionOf } from "../ask/question.ts"
import { question } from "../../http/contract/questions.ts"
import { questionIn } from "../../http/request/read-question.ts"
import { SessionSettings } from "../../pgwire/session/session-settings.ts"
import { WireError } from "../../pgwire/wire/wire-error.ts"

const sql = "SELECT ward, COUNT(*) FROM visits GROUP BY ward"

const wanted: readonly Pick<Ask, "norm" | "aim">[] = [
  { norm: "auto", aim: "least-error" },
  { norm: "fixed" },
  { aim: "below-noise" },
  {},
]

test.each(wanted)("%o", (asked) => {
  const typed = questionOf(sql, { policy: "dosimeter.yaml", ...asked }).ask
  const sent = questionIn(question.parse({ sql, ...asked }), undefined).ask
  const settings = new SessionSettings()
  for (const [name, value] of Object.entries(asked)) settings.set(`dosimeter.${name}`, value)
  expect([typed, sent, settings.asked.ask]).toEqual([asked, asked, asked])
})

test("other words are refused, and those that there are named", () => {
  expect(() => new SessionSettings().set("dosimeter.norm", "sometimes")).toThrow(WireError)
  expect(question.safeParse({ sql, aim: "noise" }).success).toBe(false)
})
