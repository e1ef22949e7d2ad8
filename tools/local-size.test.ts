// The device's side of the local model goes into web pages: how large it is, as a page would load it.

import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { build } from "vite"
import { root } from "./repo.ts"

/** What a page pays at most, gzipped. */
const bytesMax = 15_000

test("everything that a web page needs fits into 15 kB", async () => {
  const everything = await bundleOf("export * from '@dosimeter/core/local'")
  const survey = await bundleOf(
    "import { openDevice, readProtocol, systemBits } from '@dosimeter/core/local'\n" +
      "globalThis.survey = { openDevice, readProtocol, systemBits }",
  )
  const sizes = { everything: gzipSync(everything).length, survey: gzipSync(survey).length }
  expect(sizes.everything, `${sizes.everything} bytes`).toBeLessThan(bytesMax)
  expect(sizes.survey, `${sizes.survey} bytes`).toBeLessThan(sizes.everything)
  expect(everything).not.toMatch(/Math\.random|from\s*"/)
})

/** A module and all that it imports, in one minified file. */
async function bundleOf(source: string): Promise<string> {
  const entry = join(root, "packages/core/src/local/page-of-a-test.ts")
  const result = await build({
    configFile: false,
    logLevel: "silent",
    root: join(root, "packages/core"),
    resolve: { conditions: ["source"] },
    plugins: [
      {
        name: "page",
        resolveId: (id) => {
          if (id === entry) return id
          return id === "@dosimeter/core/local" ? join(root, "packages/core/src/local/index.ts") : undefined
        },
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs
    .flatMap((output) => ("output" in output ? output.output : []))
    .map((chunk) => ("code" in chunk ? chunk.code : ""))
    .join("\n")
}
