// A question about PostgreSQL's catalogs, spelled for the database that holds ours. It is rewritten token by
// token: names of schemas and functions, operators with a schema, casts to types that only PostgreSQL has.

import { catalogNames } from "./catalog-tables.ts"

/** Whether a statement asks about catalogs, or about the session, and not about data. */
export function isCatalogQuery(sql: string): boolean {
  const tokens = tokensOf(sql)
  return tokens.some((token, at) => {
    if (!/^[a-z_"]/i.test(token) || tokens[at - 1] === ".") return false
    const name = token.replaceAll('"', "").toLowerCase()
    // A column of people's data may be called version; a function has brackets.
    if (sessionFunctions.has(name)) return tokens[at + 1] === "("
    return name.startsWith("pg_") || name === "information_schema" || sessionWords.has(name)
  })
}

/** Words of SQL itself that tell who and where one is. */
const sessionWords: ReadonlySet<string> = new Set(["current_user", "session_user", "current_catalog"])

const sessionFunctions: ReadonlySet<string> = new Set([
  "current_database",
  "current_schema",
  "current_schemas",
  "version",
  "current_setting",
  "set_config",
  "has_table_privilege",
  "has_schema_privilege",
])

/** The statement for our database; parameters become constants. */
export function rewriteCatalogQuery(sql: string, parameters: readonly string[]): string {
  const tokens = tokensOf(sql.replace(/;\s*$/, ""))
  const out: string[] = []
  for (let at = 0; at < tokens.length;) {
    const step = rules.map((rule) => rule(tokens, at, parameters)).find((found) => found !== undefined)
    if (step === undefined) {
      out.push(tokens[at] ?? "")
      at += 1
    } else {
      out.push(...step.text)
      at = step.next
    }
  }
  return out.join(" ")
}

interface Step {
  readonly text: readonly string[]
  readonly next: number
}

type Rule = (tokens: readonly string[], at: number, parameters: readonly string[]) => Step | undefined

const rules: readonly Rule[] = [
  // OPERATOR(pg_catalog.~) is ~.
  (tokens, at) => {
    if (!is(tokens[at], "operator") || tokens[at + 1] !== "(") return undefined
    const close = tokens.indexOf(")", at)
    const operator = tokens[close - 1] ?? ""
    return /^!?~\*?$/.test(operator)
      ? pattern(operator, tokens, close + 1)
      : { text: [operator], next: close + 1 }
  },
  (tokens, at) => (/^!?~\*?$/.test(tokens[at] ?? "") ? pattern(tokens[at] ?? "", tokens, at + 1) : undefined),
  // COLLATE name, with or without a schema.
  (tokens, at) => {
    if (!is(tokens[at], "collate")) return undefined
    return { text: [], next: tokens[at + 2] === "." ? at + 4 : at + 2 }
  },
  // 'visits'::regclass is the number of a table.
  (tokens, at) => {
    if (!(tokens[at] ?? "").startsWith("'") || tokens[at + 1] !== "::") return undefined
    const place = tokens[at + 3] === "." ? at + 4 : at + 2
    return is(tokens[place], "regclass")
      ? { text: [`pg.class_named(${tokens[at]})`], next: place + 1 }
      : undefined
  },
  // x::name and the like.
  (tokens, at) => {
    if (tokens[at] !== "::") return undefined
    const place = tokens[at + 2] === "." ? at + 3 : at + 1
    const name = (tokens[place] ?? "").replaceAll('"', "").toLowerCase()
    const isArray = tokens[place + 1] === "[" && tokens[place + 2] === "]"
    const next = isArray ? place + 3 : place + 1
    const type = castTypes.get(name) ?? name
    return { text: ["::", isArray ? `${type}[]` : type], next }
  },
  (tokens, at) => {
    if (tokens[at + 1] !== ".") return undefined
    if (is(tokens[at], "pg_catalog")) return schemaStep("pg", tokens, at + 2)
    return is(tokens[at], "information_schema") ? schemaStep("info", tokens, at + 2) : undefined
  },
  (tokens, at) => {
    const isName = sessionNames.has((tokens[at] ?? "").toLowerCase())
    return isName && tokens[at - 1] !== "." && !is(tokens[at - 1], "as") ? sessionStep(tokens, at) : undefined
  },
  (tokens, at, parameters) => {
    const [, index] = /^\$(\d+)$/.exec(tokens[at] ?? "") ?? []
    return index === undefined ? undefined : { text: [parameters[Number(index) - 1] ?? "NULL"], next: at + 1 }
  },
]

/** What follows a schema's name. */
function schemaStep(schema: string, tokens: readonly string[], at: number): Step {
  const name = (tokens[at] ?? "").toLowerCase()
  if (sessionNames.has(name)) return sessionStep(tokens, at)
  const isOurs = schema === "info" || catalogNames.has(name)
  return { text: [isOurs ? `${schema}.${name}` : name], next: at + 1 }
}

/** Functions about the session. In a list of outputs they keep their names. */
function sessionStep(tokens: readonly string[], at: number): Step {
  const name = (tokens[at] ?? "").toLowerCase()
  const next = tokens[at + 1] === "(" && tokens[at + 2] === ")" ? at + 3 : at + 1
  const before = tokens[at - 1] === "." ? tokens[at - 3] : tokens[at - 1]
  const isOutput = is(before, "select") || before === ","
  const isBare = tokens[next] === undefined || tokens[next] === "," || is(tokens[next], "from")
  const call = sessionNames.get(name) ?? name
  return { text: isOutput && isBare ? [call, "AS", name] : [call], next }
}

/** ~ looks anywhere in a text, and our database's ~ at the whole of it. */
function pattern(operator: string, tokens: readonly string[], at: number): Step {
  const text = tokens[at] ?? ""
  const [, prefix = "", inside] = /^(e?)'(.*)'$/is.exec(text) ?? []
  if (inside === undefined) return { text: [operator.replace("*", "")], next: at }
  const start = inside.startsWith("^") ? inside.slice(1) : `.*${inside}`
  const whole = inside.endsWith("$") ? start.slice(0, -1) : `${start}.*`
  const flag = operator.includes("*") ? "(?i)" : ""
  return { text: [operator.replace("*", ""), `${prefix}'${flag}${whole}'`], next: at + 1 }
}

const castTypes: ReadonlyMap<string, string> = new Map([
  ["regclass", "VARCHAR"],
  ["regtype", "VARCHAR"],
  ["regproc", "VARCHAR"],
  ["regprocedure", "VARCHAR"],
  ["regnamespace", "VARCHAR"],
  ["oid", "INTEGER"],
  ["name", "VARCHAR"],
  ["char", "VARCHAR"],
  ["int2", "SMALLINT"],
  ["int4", "INTEGER"],
  ["int8", "BIGINT"],
  ["information_schema", "VARCHAR"],
])

const sessionNames: ReadonlyMap<string, string> = new Map([
  ["current_database", "pg.pg_database_name()"],
  ["current_catalog", "pg.pg_database_name()"],
  ["current_schema", "pg.pg_schema_name()"],
  ["current_user", "pg.pg_user_name()"],
  ["session_user", "pg.pg_user_name()"],
  ["version", "pg.pg_version()"],
])

/** Comments; strings; quoted names; parameters, words, numbers; operators of several signs; other signs. */
const tokenPattern = new RegExp(
  [
    String.raw`--[^\n]*|/\*[^]*?\*/`,
    String.raw`e?'(?:[^'\\]|''|\\.)*'`,
    String.raw`"(?:[^"]|"")*"`,
    String.raw`\$\d+|[a-z_][\w$]*|\d+(?:\.\d+)?`,
    String.raw`::|!~~?\*?|~~?\*?|<>|!=|<=|>=|\|\||\S`,
  ].join("|"),
  "gi",
)

/** The tokens of a statement, without comments and spaces. */
function tokensOf(sql: string): readonly string[] {
  return Array.from(sql.matchAll(tokenPattern), ([token]) => token).filter(
    (token) => !token.startsWith("--") && !token.startsWith("/*"),
  )
}

function is(token: string | undefined, word: string): boolean {
  return token?.toLowerCase() === word
}
