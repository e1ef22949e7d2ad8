// The node's line to its coordinator: asks for letters, hands in its own, and works on what came. It dials
// out only. Whatever is refused or unreachable is tried again, each time later, until it is stopped.

import { DosimeterError } from "@dosimeter/core"
import { coordinatorName } from "@dosimeter/engine"
import { randomInt } from "node:crypto"
import type { StateStore } from "../../state/state-store.ts"
import { Bells } from "../mail/bells.ts"
import { letterFrom } from "../mail/envelope-letter.ts"
import { keepLetters, letterDone, nextLetter, type Letter } from "../mail/letters.ts"
import { partsOf } from "../mail/parts.ts"
import { keepSetting, readSetting } from "../mail/settings.ts"
import { lettersSchema, pollSecondsMax, sentSchema } from "../wire/messages.ts"
import type { CoordinatorLine } from "./coordinator-line.ts"
import { jsonOf } from "../wire/json.ts"

/** What a dialler works with. */
export interface DiallerOptions {
  readonly store: StateStore
  readonly line: CoordinatorLine
  /** Takes a step; false where there was nothing to do. */
  readonly work: () => Promise<boolean>
  readonly note: (line: string) => void
  /** In milliseconds; for tests. */
  readonly pauses?: Pauses
}

/** How long it waits, in milliseconds. */
export interface Pauses {
  /** Before the first try after a failure; twice as long after each further one, */
  readonly first: number
  /** up to this. */
  readonly most: number
  /** Until it looks again for what another process has written. */
  readonly look: number
}

const usual: Pauses = { first: 1000, most: 300_000, look: 1000 }

/** How the last contact went, for whoever asks. */
export interface Contact {
  readonly at: string
  readonly trouble: string | null
}

/** How the last contact went; undefined before the first. */
export async function lastContact(store: StateStore): Promise<Contact | undefined> {
  const text = await readSetting(store, "contact")
  // Our own text, written below.
  return text === undefined ? undefined : (jsonOf(text) as Contact)
}

/** Keeps the line up. */
export class Dialler {
  readonly #options: DiallerOptions
  readonly #pauses: Pauses
  readonly #bells = new Bells()
  #told: string | undefined = ""

  constructor(options: DiallerOptions) {
    this.#options = options
    this.#pauses = options.pauses ?? usual
  }

  /** Until it is stopped. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#bells.close()
    signal.addEventListener("abort", stop, { once: true })
    const loops = [
      this.#again(signal, async () => this.#fetch(signal)),
      this.#again(signal, async () => this.#hand(signal)),
      this.#again(signal, async () => this.#work()),
    ]
    await Promise.all(loops)
  }

  /** Does something again and again; after a failure it waits, longer each time. */
  async #again(signal: AbortSignal, turn: () => Promise<void>): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      try {
        await turn()
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        await this.#tell(error)
        await this.#bells.wait("never", pauseAfter(failures, error, this.#pauses), signal)
      }
    }
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    const { store, line } = this.#options
    const after = Number((await readSetting(store, readTo)) ?? 0)
    const heldMs = pollSecondsMax * 1000
    const asked = { after, waitSeconds: pollSecondsMax }
    const { letters } = await line.call("poll", asked, lettersSchema, { heldMs, signal })
    const at = new Date().toISOString()
    const good = letters.flatMap(({ body }) => readable(body))
    const last = letters.at(-1)?.position ?? after
    await store.transaction(async (access) => {
      await keepLetters(access, "in", good, at)
      if (last > after) await keepSetting(access, readTo, `${last}`)
      const contact: Contact = { at, trouble: null }
      await keepSetting(access, "contact", JSON.stringify(contact))
    })
    if (this.#told !== undefined) this.#options.note("the coordinator answers")
    this.#told = undefined
    if (good.length > 0) this.#bells.ring("arrived")
  }

  async #hand(signal: AbortSignal): Promise<void> {
    const { store, line } = this.#options
    const letter = await nextLetter(store, "out")
    if (letter === undefined) return this.#bells.wait("written", this.#pauses.look, signal)
    for (const part of partsOf(letter.body)) {
      const { isWhole } = await line.call("send", part, sentSchema, { signal })
      if (isWhole) break
    }
    const at = new Date().toISOString()
    return store.transaction((access) => letterDone(access, letter.position, at))
  }

  async #work(): Promise<void> {
    if (await this.#options.work()) this.#bells.ring("written")
    else await this.#bells.wait("arrived", this.#pauses.look)
  }

  async #tell(error: unknown): Promise<void> {
    const { store, note } = this.#options
    const isOurs = error instanceof DosimeterError
    const trouble = isOurs ? `${error.issues[0].message} [${error.code}]` : "a bug of ours [bug/invariant]"
    if (trouble === this.#told) return
    this.#told = trouble
    note(`${trouble}; trying again`)
    const contact: Contact = { at: new Date().toISOString(), trouble }
    await store
      .transaction((access) => keepSetting(access, "contact", JSON.stringify(contact)))
      // The state itself may be what is away.
      .catch(() => undefined)
  }
}

const readTo = "read-to"

/** A letter that cannot be one is left out, so that it does not keep others from being read. */
function readable(body: string): readonly Letter[] {
  try {
    return [letterFrom(coordinatorName, body)]
  } catch (error) {
    if (error instanceof DosimeterError) return []
    throw error
  }
}

/** How long to wait after so many failures: what the coordinator named, else twice as long each time. */
export function pauseAfter(failures: number, error: unknown, { first, most }: Pauses): number {
  const named = error instanceof DosimeterError ? Number(error.issues[0].facts["seconds"] ?? 0) : 0
  const longest = Math.min(most, first * 2 ** Math.min(failures - 1, 30))
  // Nodes that lost the line together do not come back together.
  return Math.max(named * 1000, longest / 2 + randomInt(Math.max(1, Math.ceil(longest / 2))))
}
