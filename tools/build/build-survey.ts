// `npm run survey`: bundles examples/survey/page.ts with the device's side of the local model into one script
// and writes it as packages/server/src/collector/generated/survey-script.ts, which the server hands out.

import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "vite"
import { isTest, listFiles, readRepoFile, root } from "../rules/repo.ts"

const target = "packages/server/src/collector/generated/survey-script.ts"
const page = "examples/survey/page.ts"

/** A hash of all that the script is made from, except the wording of errors. */
export function surveyFingerprint(): string {
  const folders = ["local", "exact", "random"].map((name) => `packages/core/src/${name}`)
  const sources = folders
    .flatMap((folder) => listFiles(folder))
    .filter((path) => path.endsWith(".ts") && !isTest(path))
  const hash = createHash("sha256")
  for (const path of [page, ...sources].toSorted()) hash.update(`${path}\n${readRepoFile(path).text}\n`)
  return hash.digest("hex").slice(0, 16)
}

/** A module and all that it imports of the device's side, in one minified file. */
export async function bundleOf(entry: string, source?: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    root,
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
      target: "es2022",
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs
    .flatMap((output) => ("output" in output ? output.output : []))
    .map((chunk) => ("code" in chunk ? chunk.code : ""))
    .join("\n")
}

async function main(): Promise<void> {
  const script = await bundleOf(join(root, page))
  const packed = gzipSync(script, { level: 9 }).toString("base64")
  const lines = packed.match(/.{1,100}/g) ?? []
  writeFileSync(
    join(root, target),
    `// Made by tools/build/build-survey.ts from ${page}: gzipped, in base64. Do not edit.

/** What it was made from. */
export const surveyMadeFrom = "${surveyFingerprint()}"

/** The script. */
export const surveyScript: readonly string[] = [
${lines.map((line) => `  "${line}",`).join("\n")}
]
`,
  )
  console.log(`${target}: ${script.length} bytes, ${(packed.length * 3) / 4} gzipped`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main()
