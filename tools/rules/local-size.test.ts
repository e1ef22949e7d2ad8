// The device's side of the local model goes into web pages: how large it is, as a page would load it, and
// whether the script that the server hands out is made from the sources as they are.

import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { bundleOf, surveyFingerprint } from "../build/build-survey.ts"
import { readRepoFile, root } from "./repo.ts"

/** What a page pays at most, gzipped. */
const bytesMax = 15_000

test("everything that a web page needs fits into 15 kB", async () => {
  const entry = join(root, "examples/survey/of-a-test.ts")
  const everything = await bundleOf(entry, "export * from '@dosimeter/core/local'")
  const survey = await bundleOf(
    entry,
    "import { openDevice, readProtocol, systemBits } from '@dosimeter/core/local'\n" +
      "globalThis.survey = { openDevice, readProtocol, systemBits }",
  )
  const sizes = { everything: gzipSync(everything).length, survey: gzipSync(survey).length }
  expect(sizes.everything, `${sizes.everything} bytes`).toBeLessThan(bytesMax)
  expect(sizes.survey, `${sizes.survey} bytes`).toBeLessThan(sizes.everything)
  expect(everything).not.toMatch(/Math\.random|from\s*"/)
})

test("the survey's script is made from the sources as they are; npm run survey renews it", () => {
  const generated = readRepoFile("packages/server/src/collector/generated/survey-script.ts").text
  expect(generated).toContain(`surveyMadeFrom = "${surveyFingerprint()}"`)
})
