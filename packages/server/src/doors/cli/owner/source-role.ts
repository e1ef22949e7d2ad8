// `dosimeter source-role`: prints the SQL that makes a role which may read the data and do nothing else.

import { roleOf } from "@dosimeter/engine"
import { readOpening, readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Source } from "@dosimeter/policy/file/policy"
import type { Command } from "commander"
import type { Session } from "../session/session.ts"
import { sourceFor, unknown } from "./init-source.ts"

interface RoleOptions {
  readonly role: string
  readonly schema?: readonly string[]
  readonly copies?: string
}

/** Adds the command. */
export function addSourceRole(program: Command, session: Session): void {
  program
    .command("source-role")
    .description("print the SQL of a role that may read the data of a server and do nothing else")
    .argument("<source>", "the URL of a PostgreSQL, or a policy that names one")
    .option("--role <name>", "its name, where the URL has none", "dosimeter_reader")
    .option("--schema <name...>", "with a URL: the schemas that it reads; public if left out")
    .option("--copies <schema>", "with a URL: a schema that it may write, for prepared copies")
    .addHelpText(
      "after",
      `
Nothing is connected to, and nothing is made: whoever owns the tables runs what is printed.

Examples:
  dosimeter source-role postgres://dosimeter_reader@db.example.org/hospital --schema ehr | psql hospital
  dosimeter source-role hospital.yaml`,
    )
    .action((given: string, options: RoleOptions) => {
      const source = sourceOf(given, options, session)
      const statements = roleOf(source, options.role)
      if (statements === undefined) return unknown([given])
      session.out(`-- Run by an owner of the tables. Set the password apart: psql -c '\\password ROLE'
${statements.map((sql) => `${sql};\n`).join("")}`)
    })
}

function sourceOf(given: string, { schema, copies }: RoleOptions, session: Session): Source {
  if (!/^[a-z]+:\/\//.test(given)) {
    const text = session.read(given)
    return (readOpening(text) ?? readPolicy(text)).source
  }
  const { folder } = session
  const source = sourceFor({ given: [given], folder, policyFolder: folder, schemas: schema ?? [] })
  return copies === undefined || source.kind !== "postgres" ? source : { ...source, copies }
}
