// Where JSON text is read. Answers, receipts, prices and explanations are values on their whole way: the one
// decoder of packages/answers/src/shown reads what the ledger keeps, and no door parses anything of ours.

import { expect, test } from "vitest"
import { isTest, typescriptFiles } from "./repo.ts"

/** Every place that parses JSON, and what it reads. */
const places: Readonly<Record<string, string>> = {
  "packages/answers/src/shown/read-fields.ts": "answers and receipts: the decoder",
  "packages/core/src/local/device-state.ts": "what a device keeps",
  "packages/engine/src/dataset/trino/trino-client.ts": "pages of a Trino server",
  "packages/engine/src/federation/envelope.ts": "messages of coordinators and sites",
  "packages/engine/src/federation/layout.ts": "a layout as plain data, to be hashed",
  "packages/engine/src/ledger/entries/canonical.ts": "entries and kept tables of the ledger",
  "packages/engine/src/release/plan-hash.ts": "a plan as plain data, to be hashed",
  "packages/language/src/parse/grammar.ts": "the tree that the grammar gives",
  "packages/ml/src/export/model-json.ts": "models that were exported",
  "packages/server/src/audit/audit.ts": "entries of the audit trail",
  "packages/server/src/collector/campaigns.ts": "campaigns in the server's state",
  "packages/server/src/consent/read-consents.ts": "files of decisions",
  "packages/server/src/doors/http/contract/client.ts": "replies of the server",
  "packages/server/src/doors/http/request/read-input.ts": "requests",
  "packages/server/src/doors/http/services/open-id.ts": "an attempt to sign in",
  "packages/server/src/federation/wire/json.ts":
    "requests and replies of federated work, and what is kept of it",
  "packages/server/src/main.ts": "the version in package.json",
  "packages/web/src/parts/browser/kept.ts": "what a browser keeps",
  "packages/web/src/screens/datasets/table-of-file.ts": "files of people",
}

test("JSON text is read in known places only, and no field is fished out of a text", () => {
  const sources = typescriptFiles().filter(
    ({ path }) => /^packages\/[a-z]+\/src\//.test(path) && !isTest(path) && !path.includes("/testing/"),
  )
  const parsing = sources.filter(({ text }) => text.includes("JSON.parse")).map(({ path }) => path)
  expect(parsing.toSorted()).toEqual(Object.keys(places).toSorted())
  // Such as /"planHash":"([0-9a-f]+)"/, which a receipt was once read with.
  const fishing = sources.filter(({ text }) => /\/[^/\n]*"\w+":"?\(/.test(text)).map(({ path }) => path)
  expect(fishing).toEqual([])
})
