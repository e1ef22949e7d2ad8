// A few facts that are kept by name: where the coordinator is, and how far a node has read.

import { oneRow, textOf, type StateAccess } from "../../state/state-store.ts"

/** The value of a name; undefined where nothing was kept. */
export async function readSetting(access: StateAccess, name: string): Promise<string | undefined> {
  const row = await oneRow(access, "SELECT value FROM federation_settings WHERE name = ?", [name])
  return row === undefined ? undefined : textOf(row, "value")
}

/** Keeps a value; part of the caller's transaction. */
export async function keepSetting(access: StateAccess, name: string, value: string): Promise<void> {
  await access.run("DELETE FROM federation_settings WHERE name = ?", [name])
  await access.run("INSERT INTO federation_settings (name, value) VALUES (?, ?)", [name, value])
}
