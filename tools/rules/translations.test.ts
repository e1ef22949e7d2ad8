// What the server says to people at a screen has a text in every language of the screens.

import { describe, expect, test } from "vitest"
import { engineErrors } from "../../packages/engine/src/errors.ts"
import { mlErrors } from "../../packages/ml/src/errors.ts"
import { serverErrors } from "../../packages/server/src/errors.ts"
import { errorTexts } from "../../packages/web/src/strings/error-text.ts"

/** Said on a terminal, to operators, or to programs only. */
const elsewhere =
  /^(cli|serve|dataset|store|ledger|series|model)\/|^oidc\/bad-settings$|^backend\/unexpected-engine$/

const definitions = { ...engineErrors, ...mlErrors, ...serverErrors }
const said = Object.entries(definitions).filter(
  ([code]) => !elsewhere.test(code) || code.startsWith("ledger/request-"),
)

/** Every fact says its own name. */
const names: Readonly<Record<string, string>> = new Proxy(
  {},
  { get: (_, name) => (typeof name === "string" ? `{${name}}` : undefined) },
)

const placesIn = (text: string): readonly string[] => text.match(/\{\w+\}/g) ?? []

describe.each(Object.entries(errorTexts).filter(([language]) => language !== "en"))("%s", (_, texts) => {
  test("every error that a screen can show has a text", () => {
    expect(said.map(([code]) => code).filter((code) => texts[code] === undefined)).toEqual([])
  })

  test("a text names nothing that the error does not", () => {
    const wrong = said.flatMap(([code, { message, help }]) => {
      const known = [message, help].map((part) =>
        part === undefined ? "" : String(Reflect.apply(part, undefined, [names])),
      )
      const { message: own = "", help: remedy = "" } = texts[code] ?? {}
      return placesIn(`${own} ${remedy}`)
        .filter((place) => !known.join(" ").includes(place))
        .map((place) => `${code} ${place}`)
    })
    expect(wrong).toEqual([])
  })
})
