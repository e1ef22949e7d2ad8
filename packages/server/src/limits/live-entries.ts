// Entries by key in bounded memory, for keys that strangers choose. An entry is removed when it is over,
// never to make room for another: nobody can erase a count by sending many keys. While all places are taken,
// new keys share a few places, and so at worst each other's limits.

import { createHmac, randomBytes } from "node:crypto"

/** What is kept, and for how long. */
export interface EntryRules<Entry> {
  readonly make: () => Entry
  /** Whether the entry can be removed without losing anything. */
  readonly isOver: (entry: Entry) => boolean
  readonly placesMax?: number
}

const sharedPlaces = 1024
/** Entries looked at for each new key, so that old ones are removed faster than new ones arrive. */
const looks = 8

/** Entries that no other key can displace. */
export class LiveEntries<Entry> {
  readonly #rules: EntryRules<Entry>
  readonly #placesMax: number
  readonly #entries = new Map<string, Entry>()
  readonly #shared = new Map<number, Entry>()
  /** Hides which keys share a place, so that nobody can aim at another's. */
  readonly #secret = randomBytes(32)
  #look = this.#entries.entries()

  constructor(rules: EntryRules<Entry>) {
    this.#rules = rules
    this.#placesMax = rules.placesMax ?? 100_000
  }

  /** The entry of a key: its own, or one that it shares while there is no room. */
  of(key: string): Entry {
    const hash = createHmac("sha256", this.#secret).update(key).digest()
    const own = hash.toString("base64")
    const known = this.#entries.get(own)
    if (known !== undefined) return known
    this.#forget()
    if (this.#entries.size < this.#placesMax) {
      const made = this.#rules.make()
      this.#entries.set(own, made)
      return made
    }
    const place = hash.readUInt32BE() % sharedPlaces
    const shared = this.#shared.get(place) ?? this.#rules.make()
    this.#shared.set(place, shared)
    return shared
  }

  #forget(): void {
    for (let times = 0; times < looks; times += 1) {
      const next = this.#look.next()
      if (next.done === true) {
        this.#look = this.#entries.entries()
        return
      }
      const [key, entry] = next.value
      if (this.#rules.isOver(entry)) this.#entries.delete(key)
    }
  }
}
