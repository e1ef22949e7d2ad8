// A made-up hospital in OMOP's tables, with its policy, in a folder.

import { DuckDBInstance } from "@duckdb/node-api"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fail } from "../errors.ts"
import { hospitalPolicy, hospitalStatements } from "./hospital-sql.ts"

/** How large, and whether what is there may go. */
export interface HospitalOptions {
  readonly persons: number
  readonly replace?: boolean
}

/** The names of what is written. */
export const hospitalFiles = {
  data: "hospital.duckdb",
  policy: "dosimeter.yaml",
  state: ".dosimeter",
} as const

/** Writes the hospital's data and policy into a folder. */
export async function makeHospital(
  folder: string,
  { persons, replace = false }: HospitalOptions,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const name of Object.values(hospitalFiles)) {
    const path = join(folder, name)
    if (existsSync(path) && !replace)
      fail("cli/file-exists", { file: path, elsewhere: "name another folder" })
    rmSync(path, { recursive: true, force: true })
  }
  const instance = await DuckDBInstance.create(join(folder, hospitalFiles.data))
  const connection = await instance.connect()
  for (const statement of hospitalStatements(persons)) await connection.run(statement)
  await connection.run("CHECKPOINT")
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(folder, hospitalFiles.policy), hospitalPolicy)
}
