// A policy in plain words, for its owner.

import { showParameter, type Rational } from "@dosimeter/core"
import type { Policy } from "@dosimeter/policy/file/policy"

const labelWidth = 18
const lineWidth = 100

/** What a policy says. */
export function summarize(policy: Policy): string {
  const { catalog, terms, limits, withheld, absent, claims } = policy
  const { budget, question, bounding, shownFrom } = terms
  const named = (kind: "path" | "row" | "public"): readonly string[] =>
    catalog.tables.filter(({ unit }) => unit.kind === kind).map(({ name }) => name)
  const denied = catalog.tables.flatMap((table) =>
    table.columns.filter(({ access }) => access === "denied").map(({ name }) => `${table.name}.${name}`),
  )
  const unique = claims.filter(({ kind }) => kind === "unique").length
  const notNull = claims
    .filter(({ kind }) => kind === "not-null")
    .reduce((sum, { columns }) => sum + columns.length, 0)
  const lines: readonly (readonly [string, string])[] = [
    [
      "unit",
      `one ${catalog.unitName}; two datasets are neighbours if one is ${neighbourWords[catalog.neighbours]}`,
    ],
    [
      "budget",
      `epsilon ${show(budget.epsilon)}, delta ${show(budget.delta)} for everything ever asked (${budget.accounting})`,
    ],
    [
      "a question",
      `epsilon ${show(question.epsilonDefault)} unless it says otherwise, at most ${show(question.epsilonMax)}; delta ${show(question.delta)}`,
    ],
    ["intervals", `at ${show(question.confidence)} confidence`],
    [
      "bounding",
      `${groupsWords(bounding)} a ${catalog.unitName} (at most ${bounding.groupsPerUnitMax}), ${bounding.rowsPerGroup} rows a group (at most ${bounding.rowsPerGroupMax})`,
    ],
    ["bounds learnt", learntWords(policy)],
    ["consent", consentWords(policy)],
    ["shown from", shownFrom === undefined ? "" : `counts of ${shownFrom}, after noise`],
    [
      "studies",
      limits.studies.map(({ name, budget: own }) => `${name} (epsilon ${show(own.epsilon)})`).join(", "),
    ],
    [
      "analysts",
      limits.analysts.map(({ name, budget: own }) => `${name} (epsilon ${show(own.epsilon)})`).join(", "),
    ],
    ["private tables", [...named("path"), ...named("row")].join(", ")],
    ["public tables", named("public").join(", ")],
    ["trees of tables", treeWords(policy)],
    ["denied columns", denied.join(", ")],
    ["denied tables", withheld.map(({ table }) => table).join(", ")],
    ["not in the source", absent.join(", ")],
    [
      "still to check",
      claims.length === 0
        ? ""
        : `${unique} keys and ${notNull} columns that are never NULL, against the data, when it is registered`,
    ],
    ["source", policy.grounded ? "names and types agree with it" : "not looked at"],
  ]
  const shown = lines.filter(([, text]) => text !== "").flatMap(([label, text]) => wrap(label, text))
  return [`${policy.dataset}: nothing is wrong with this policy`, ...shown, ""].join("\n")
}

/** The trees that public tables have, with as many leaves as were read. */
function treeWords({ catalog, treeTables }: Policy): string {
  const trees = catalog.tables.flatMap(({ columns }) =>
    columns.flatMap(({ domain }) => domain.tree?.tree ?? []),
  )
  return treeTables
    .map(({ tree, table }) => {
      const leaves = trees.find(({ name }) => name === tree)?.levels[0]?.ofLeaf.length ?? 0
      return `${tree}, of ${table} (${leaves} leaves)`
    })
    .join(", ")
}

function groupsWords({ autoGroups, groupsPerUnit }: Policy["terms"]["bounding"]): string {
  return autoGroups === true ? "as many groups as a question learns for" : `${groupsPerUnit} groups`
}

function consentWords({ catalog: { consent, unitName }, consentRefresh }: Policy): string {
  if (consent === undefined) return ""
  const who = consent.mode === "required" ? "that agreed is read" : "that withdrew is not read"
  return `each ${unitName} ${who}; decisions count ${consentRefresh === undefined ? "at once" : "from the next day on"}`
}

/** Which columns have bounds that a question learns, and at what price. */
function learntWords({ catalog, terms }: Policy): string {
  const columns = catalog.tables.flatMap((table) =>
    table.columns
      .filter(({ domain }) => domain.autoBounds === true)
      .map(({ name }) => `${table.name}.${name}`),
  )
  if (columns.length === 0) return ""
  const { boundsShare } = terms.bounding
  const share = boundsShare === undefined ? "0.2" : show(boundsShare)
  return `of ${columns.join(", ")}, for ${share} of what a question spends`
}

const neighbourWords = { "add-or-remove": "added or removed", replace: "replaced by another" }

/** A number as short as it can be said. */
function show(value: Rational): string {
  const text = showParameter(value)
  return text.startsWith("0.0000") ? `${Number(text)}` : text
}

function wrap(label: string, text: string): readonly string[] {
  const lines: string[] = []
  let line = `  ${label.padEnd(labelWidth)}`
  for (const word of text.split(" ")) {
    if (line.length + word.length + 1 > lineWidth && line.trim() !== "" && line.trim() !== label) {
      lines.push(line.trimEnd())
      line = " ".repeat(labelWidth + 2)
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}
