// `npm run trino`: starts the Trino of the tests, shows where it is, and stops it on Ctrl-C. `npm run trino --
// --workers 1` adds a worker as a process of its own.

import { parseArgs } from "node:util"
import { fetchTrino } from "./fetch-trino.ts"
import { startTrino } from "./trino-server.ts"

const { values } = parseArgs({ options: { workers: { type: "string", default: "0" } } })
const files = await fetchTrino()
if ("missing" in files) throw new Error(files.missing)
const server = await startTrino(files, { workers: Number(values.workers) })
console.log(`DOSIMETER_TEST_TRINO=${server.url}`)
console.log(`DOSIMETER_TEST_TRINO_SECURED=${server.securedUrl}`)
console.log(`DOSIMETER_TEST_TRINO_KEYS=${server.keys}`)
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void server.stop().then(() => process.exit(0))
  })
}
// The servers are children: as long as one runs, so does this.
