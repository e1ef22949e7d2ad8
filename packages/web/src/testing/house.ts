// The house that the tests of screens are about: a clinic with its dataset, its accounts and its people.

import type { Account, Dataset, Me, Right } from "../parts/browser/session.tsx"
import type { Replies } from "./fake-server.ts"

const seen: readonly Right[] = ["see-catalog", "see-budget", "see-releases", "see-studies"]

function person(name: string, role: Me["role"], rights: readonly Right[]): Me {
  return { name, role, rights, by: "session", csrfToken: null }
}

/** Who asks. */
export const ada = person("ada", "analyst", [...seen, "ask", "propose-studies"])

/** Who owns the data. */
export const otto = person("otto", "owner", [
  ...seen,
  "ask",
  "propose-studies",
  "review-releases",
  "activate-studies",
  "suspend-studies",
  "see-audit",
  "manage-accounts",
  "manage-consent",
  "operate",
])

/** Who is of the committee. */
export const cleo = person("cleo", "committee", [
  ...seen,
  "review",
  "review-releases",
  "suspend-studies",
  "see-audit",
])

/** Who speaks for the people in the data. */
export const coco = person("coco", "community", ["voice"])

/** Who is in the data. */
export const pia = person("pia", "participant", ["consent"])

/** What the owner declared. */
export const dataset: Dataset = {
  name: "clinic",
  unit: "person",
  neighbours: "add-or-remove",
  studies: true,
  budget: { epsilon: "3", delta: "1e-6", accounting: "zcdp" },
  question: { epsilonDefault: "0.1", epsilonMax: "1", delta: "1e-8", confidence: "0.9" },
  bounding: {
    groupsPerUnit: "3",
    groupsPerUnitMax: "10",
    rowsPerGroup: "5",
    rowsPerGroupMax: "50",
    norm: "auto",
  },
  shownFrom: null,
  slotMs: null,
  tables: [
    {
      name: "person",
      kind: "private",
      unit: "person_id",
      keys: [["person_id"]],
      columns: [
        column("person_id", "integer"),
        { ...column("sex", "text"), values: ["f", "m", null] },
        { ...column("year_of_birth", "integer"), min: "1900", max: "2030" },
        { ...column("letter", "text"), freeText: true },
      ],
    },
    {
      name: "concept",
      kind: "public",
      unit: null,
      keys: [["concept_id"]],
      columns: [{ ...column("concept_id", "integer"), references: "domain.domain_id" }],
    },
  ],
}

function column(name: string, type: string): Dataset["tables"][number]["columns"][number] {
  return { name, type, nullable: true, min: null, max: null, values: null, freeText: false, references: null }
}

/** An account of which a share is used. */
export function account(name: string, share: number, epsilon = "3"): Account {
  const spent = `${share * Number(epsilon)}`
  return {
    name,
    accounting: "zcdp",
    epsilon,
    delta: "1e-6",
    deltaForKeys: "2e-7",
    spent: { amount: "0.1", delta: "0", epsilon: spent },
    left: { amount: "0.1", delta: "0", epsilon: `${Number(epsilon) - Number(spent)}` },
    used: { share, loss: share, delta: 0, first: "loss" },
    defaultQuestionsLeft: 4,
  }
}

/** What the session loads by itself. */
export const houseReplies: Replies = {
  "GET /api/v1/datasets": { items: [{ name: "clinic", unit: "person" }] },
  "GET /api/v1/datasets/clinic": dataset,
  "GET /api/v1/budget": { dataset: "clinic", accounts: [account("dataset", 0.25)] },
}
