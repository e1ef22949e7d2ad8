// How the pages are built: one entry, everything heavy (editor, grammar, charts) in chunks of its own. Our
// packages are read from their sources by name: the "source" condition would catch other libraries as well.

import react from "@vitejs/plugin-react"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: file("."),
  plugins: [react()],
  resolve: {
    alias: [
      { find: /^@dosimeter\/core\/([a-z]+)$/, replacement: file("../core/src/$1/index.ts") },
      { find: /^@dosimeter\/core$/, replacement: file("../core/src/index.ts") },
      {
        find: /^@dosimeter\/(answers|language|planner|policy|proof)\/(.+)$/,
        replacement: file("../$1/src/$2.ts"),
      },
      { find: "@dosimeter/server/client", replacement: file("../server/src/doors/http/contract/client.ts") },
    ],
  },
  build: {
    target: "es2023",
    // What is not inlined can be cached, and needs no data: address in the content security policy.
    assetsInlineLimit: 0,
    manifest: true,
    chunkSizeWarningLimit: 1200,
  },
  worker: { format: "es" },
  server: { proxy: { "/api": "http://127.0.0.1:8080" } },
})
