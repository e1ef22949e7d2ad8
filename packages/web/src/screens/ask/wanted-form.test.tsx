// The fields beside a question, used by their names, and what is sent of them.

import { useState } from "react"
import { expect, test } from "vitest"
import { catalogues } from "../../strings/use-strings.ts"
import { ada, dataset } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { languages } from "../../testing/shown.tsx"
import { bodyOf, usual } from "../../workers/wanted.ts"
import { WantedForm } from "./wanted-form.tsx"

const sql = "SELECT COUNT(*) FROM person"

/** The form, and below it what would be sent. */
function Form() {
  const [wanted, setWanted] = useState(usual)
  return (
    <>
      <WantedForm dataset={dataset} wanted={wanted} onChange={setWanted} />
      <output>{JSON.stringify(bodyOf(sql, wanted))}</output>
    </>
  )
}

function sent(): unknown {
  return JSON.parse(document.querySelector("output")?.textContent ?? "")
}

test.each(languages)("norm, aim and the delta of keys are chosen and sent: %s", async (language) => {
  const { wanted: texts } = catalogues[language]
  const screen = await openScreen(<Form />, { me: ada, language })
  const choose = async (label: string, option: string): Promise<void> => {
    await screen.press(new RegExp(label))
    await screen.press(option, "option")
  }
  expect(sent()).toEqual({ sql })
  await choose(texts.norm("person"), texts.normWords.auto)
  await choose(texts.aim, texts.aimWords["least-error"])
  await screen.type(texts.keysDelta, "1e-9")
  expect(sent()).toEqual({ sql, norm: "auto", aim: "least-error", keysDelta: "1e-9" })
  for (const help of [texts.normHelp, texts.aimHelp, texts.keysDeltaHelp])
    expect(screen.text()).toContain(help)
})

test("beside a fixed norm there is no aim to choose", async () => {
  const { wanted: texts } = catalogues.en
  const screen = await openScreen(<Form />, { me: ada })
  const isOpen = (): boolean => !screen.one("button", new RegExp(texts.aim)).hasAttribute("disabled")
  expect(isOpen()).toBe(true)
  await screen.press(new RegExp(texts.norm("person")))
  await screen.press(texts.normWords.fixed, "option")
  expect([isOpen(), sent()]).toEqual([false, { sql, norm: "fixed" }])
})

test("a delta that is no number is said beside its field", async () => {
  const { wanted: texts } = catalogues.en
  const screen = await openScreen(<Form />, { me: ada })
  await screen.type(texts.keysDelta, "tiny")
  expect(screen.text()).toContain(texts.wrong.keysDelta)
})
