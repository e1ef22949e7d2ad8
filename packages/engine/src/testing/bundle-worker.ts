// Makes the worker a program that starts quickly.

import { symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "vite"
import { workerUrl } from "./ledger-worker.ts"

/** Writes the worker as one JavaScript file into a folder: a process then starts in a tenth of the time. */
export async function bundleWorker(folder: string): Promise<string> {
  const require = createRequire(import.meta.url)
  const modules = dirname(dirname(dirname(require.resolve("@photostructure/sqlite/package.json"))))
  symlinkSync(modules, join(folder, "node_modules"))
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["source"] },
    ssr: { noExternal: [/^@dosimeter\//], resolve: { conditions: ["source"] } },
    build: {
      ssr: fileURLToPath(workerUrl),
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: "worker.mjs" } },
    },
  })
  return join(folder, "worker.mjs")
}
