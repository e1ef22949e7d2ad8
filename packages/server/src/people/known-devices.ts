// Browsers that somebody signed in with before, by a cookie of their own. The cookie gives no access: guesses
// with it are counted apart, so that a stranger at the same address locks nobody out.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { oneRow, textOf, type StateStore } from "../state/state-store.ts"

/** Says which devices are known. */
export class KnownDevices {
  readonly #store: StateStore
  #key: Promise<Buffer> | undefined

  constructor(store: StateStore) {
    this.#store = store
  }

  /** The value of a cookie for a device that somebody signed in with. */
  async mark(name: string): Promise<string> {
    const id = randomBytes(16).toString("base64url")
    return `${id}.${await this.#seal(id, name)}`
  }

  /** The id of the device, if it was marked for this name; undefined otherwise. */
  async idOf(name: string, mark: string | undefined): Promise<string | undefined> {
    const [id = "", seal = ""] = (mark ?? "").split(".", 2)
    if (id === "" || seal === "") return undefined
    const [got, expected] = [Buffer.from(seal), Buffer.from(await this.#seal(id, name))]
    return got.length === expected.length && timingSafeEqual(got, expected) ? id : undefined
  }

  async #seal(id: string, name: string): Promise<string> {
    this.#key ??= this.#readKey()
    const text = `dosimeter/device/1\n${id}\n${name}`
    return createHmac("sha256", await this.#key)
      .update(text)
      .digest("base64url")
  }

  /** Made once for a house; all its servers use the same. */
  async #readKey(): Promise<Buffer> {
    const value = await this.#store.transaction(async (access) => {
      const row = await oneRow(access, "SELECT value FROM state_secrets WHERE name = 'devices'", [])
      if (row !== undefined) return textOf(row, "value")
      const made = randomBytes(32).toString("base64")
      await access.run("INSERT INTO state_secrets (name, value) VALUES ('devices', ?)", [made])
      return made
    })
    return Buffer.from(value, "base64")
  }
}
