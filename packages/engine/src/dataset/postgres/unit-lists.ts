// Lists of unit ids: who agreed to be read. They are kept here and brought to a connection before it is
// asked, as temporary tables that nobody else sees; nothing is ever read back from them.

import type { UnitList } from "../backend.ts"
import { beginOn, type Session } from "./sessions.ts"
import { beginning, ownersTimeMs } from "./transaction.ts"

interface KeptList {
  readonly number: number
  readonly type: UnitList["type"]
  readonly ids: readonly string[]
}

/** How many ids are sent at a time. */
const batch = 50_000

/** The lists of a source that is served. */
export class UnitLists {
  readonly #lists = new Map<string, KeptList>()
  #made = 0

  /** Where a list is, as printed SQL names it. */
  path(name: string): readonly string[] {
    return ["pg_temp", name]
  }

  /** Makes a list. What is not an id of its type is nobody's, and left out. */
  make({ name, type, ids }: UnitList): void {
    const own = [...new Set(ids)].filter((id) => (type === "text" ? !id.includes("\0") : isInteger(id)))
    this.#lists.set(name, { number: (this.#made += 1), type, ids: own })
  }

  /** Takes a list away. Queries that read it already go on. */
  drop(name: string): void {
    this.#lists.delete(name)
  }

  /** Whether a connection has the lists that there are, and no others. */
  areAt({ lists }: Session): boolean {
    const all = [...this.#lists]
    return lists.size === all.length && all.every(([name, { number }]) => lists.get(name) === number)
  }

  /** Sees to it that a connection has them. */
  async bringTo(session: Session): Promise<void> {
    const { client, lists } = session
    const old = [...lists].filter(([name, number]) => this.#lists.get(name)?.number !== number)
    const fresh = [...this.#lists].filter(([name, { number }]) => lists.get(name) !== number)
    await beginOn(session, beginning({ writes: true, timeoutMs: ownersTimeMs }))
    for (const [name] of old) {
      await client.query(`DROP TABLE pg_temp.${quoted(name)}`)
      lists.delete(name)
    }
    for (const [name, { number, type, ids }] of fresh) {
      const stored = type === "integer" ? "BIGINT" : 'TEXT COLLATE "C"'
      await client.query(`CREATE TEMPORARY TABLE ${quoted(name)} (unit ${stored}) ON COMMIT PRESERVE ROWS`)
      const cast = type === "integer" ? "BIGINT[]" : "TEXT[]"
      for (let from = 0; from < ids.length; from += batch) {
        const part = ids.slice(from, from + batch)
        await client.query(`INSERT INTO pg_temp.${quoted(name)} SELECT unnest($1::${cast})`, [part])
      }
      await client.query(`ANALYZE pg_temp.${quoted(name)}`)
      lists.set(name, number)
    }
    await client.query("COMMIT")
  }
}

/** Names of lists have lower-case letters, digits and _. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', "")}"`
}

function isInteger(id: string): boolean {
  if (!/^-?\d{1,19}$/.test(id)) return false
  const value = BigInt(id)
  return BigInt.asIntN(64, value) === value
}
