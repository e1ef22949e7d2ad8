// The only writer of a ledger within a process. Wishes that wait at the same time are decided one after the
// other and share one commit and one write of the anchor; each is answered when both are on disk.

import { assert, DosimeterError, makeError } from "@dosimeter/core"
import { engineErrors, errorOf, fail } from "../errors.ts"
import { anchorProblem, type Anchor, type AnchorProblem } from "./anchor.ts"
import { Unreadable } from "./canonical.ts"
import type { Entry } from "./entry.ts"
import type { EntryRow, EntryStore } from "./entry-store.ts"
import type { ReleaseText, Verification } from "./ledger.ts"
import { LedgerState } from "./ledger-state.ts"
import { anchored, anchorWords, catchUp, verifyStore } from "./replay.ts"

/** An entry to be made, with the release that it records. */
export interface Proposal {
  readonly entry: Entry
  readonly release?: ReleaseText
}

/**
 * Decides on the state as it is then, with nobody else writing; undefined: nothing to do; throws: refused.
 */
export type Propose = (state: LedgerState, at: string) => Proposal | undefined

interface Job {
  readonly propose: Propose
  readonly done: (row: EntryRow | undefined) => void
  readonly refused: (error: unknown) => void
}

/** Wishes in one transaction: others wait for its end. */
const groupMax = 256
/** How long a writer leaves the lock to others; they look for it every few milliseconds. */
const yieldMs = 3

/** Decides, appends and anchors. */
export class LedgerWriter {
  readonly #store: EntryStore
  readonly #anchor: Anchor
  readonly #now: () => Date
  #state = new LedgerState()
  #queue: Job[] = []
  #scheduled = false
  /** Whether other processes have written lately. */
  #isCrowded = false
  /** Whether the state holds entries that are not committed. */
  #isAhead = false
  #closed = false

  constructor(options: { readonly store: EntryStore; readonly anchor: Anchor; readonly now: () => Date }) {
    this.#store = options.store
    this.#anchor = options.anchor
    this.#now = options.now
  }

  /**
   * Begins: reads and checks everything, holds it against the anchor, makes the first entry if there is none.
   * An empty file under an anchor that has seen entries is a lost ledger, not a new one.
   */
  start(begin: {
    readonly opening: (at: string) => Entry
    readonly check: (state: LedgerState) => void
    readonly acknowledge: ((state: LedgerState, at: string) => Entry) | undefined
  }): void {
    this.#guarded(() => {
      this.#store.begin()
      this.#catchUp()
      const isNew = this.#state.entries === 0n && this.#anchor.read() === undefined
      // Before the first entry: whoever stops in between leaves an anchor that any ledger extends.
      if (isNew) this.#anchor.write(this.#state.head())
      const problem = this.#anchorProblem()
      if (problem !== undefined && begin.acknowledge === undefined) this.#refuse(problem)
      if (problem === undefined && begin.acknowledge !== undefined) {
        fail("ledger/nothing-lost", { path: this.#store.path })
      }
      if (this.#state.entries === 0n) this.#append({ entry: begin.opening(this.#time()) })
      begin.check(this.#state)
      if (begin.acknowledge !== undefined) {
        this.#append({ entry: begin.acknowledge(this.#state, this.#time()) })
      }
      this.#commit()
      this.#moveAnchor(problem === "missing")
    })
  }

  /** The state with all entries that any process has committed. */
  read<Result>(look: (state: LedgerState, store: EntryStore) => Result): Result {
    if (this.#closed) fail("ledger/closed", { path: this.#store.path })
    return this.#guarded(() => {
      this.#catchUp()
      return look(this.#state, this.#store)
    })
  }

  /** Reads everything again from the first entry. */
  verify(): Verification {
    if (this.#closed) fail("ledger/closed", { path: this.#store.path })
    return this.#guarded(() => verifyStore(this.#store, this.#anchor))
  }

  /** Waits for its turn; resolves when the entry, if there is one, and its anchor are durable. */
  async submit(propose: Propose): Promise<EntryRow | undefined> {
    if (this.#closed) fail("ledger/closed", { path: this.#store.path })
    return new Promise((done, refused) => {
      this.#queue.push({ propose, done, refused })
      this.#schedule()
    })
  }

  /** Answers those who wait, then closes the store. */
  close(): void {
    if (this.#closed) return
    while (this.#queue.length > 0) this.#flush()
    this.#closed = true
    this.#store.close()
  }

  #schedule(): void {
    if (this.#scheduled || this.#queue.length === 0) return
    this.#scheduled = true
    const turn = (): void => {
      this.#scheduled = false
      this.#flush()
      this.#schedule()
    }
    // After the callbacks of this turn, so that all who ask in it share one commit. Where other processes
    // write too, a little later: the lock is not fair, and who takes it again at once keeps others out.
    if (this.#isCrowded) setTimeout(turn, yieldMs)
    else setImmediate(turn)
  }

  #flush(): void {
    const jobs = this.#queue.splice(0, groupMax)
    if (jobs.length === 0) return
    let answers: readonly (() => void)[]
    try {
      answers = this.#guarded(() => this.#decide(jobs))
    } catch (error) {
      // Whatever was appended is rolled back, or stands as a charge without an answer.
      for (const job of jobs) job.refused(error)
      return
    }
    for (const answer of answers) answer()
  }

  #decide(jobs: readonly Job[]): readonly (() => void)[] {
    this.#store.begin()
    const known = this.#state.entries
    this.#catchUp()
    this.#isCrowded = this.#state.entries > known
    const problem = this.#anchorProblem()
    if (problem !== undefined) this.#refuse(problem)
    const before = this.#state.entries
    const answers = jobs.map((job) => this.#answer(job))
    if (this.#state.entries === before) {
      this.#store.rollback()
      return answers
    }
    this.#commit()
    this.#moveAnchor(false)
    return answers
  }

  #answer({ propose, done, refused }: Job): () => void {
    let proposal: Proposal | undefined
    try {
      proposal = propose(this.#state, this.#time())
    } catch (error) {
      // A refusal concerns one wish; proposing has changed nothing.
      return () => refused(error)
    }
    if (proposal === undefined) return () => done(undefined)
    const row = this.#append(proposal)
    return () => done(row)
  }

  #append({ entry, release }: Proposal): EntryRow {
    const row = this.#state.rowOf(entry)
    this.#isAhead = true
    const damage = this.#state.accept(row)
    assert(damage === undefined, `an entry of our own is accepted (${damage?.what})`)
    this.#store.append(row, release)
    return row
  }

  #commit(): void {
    this.#store.commit()
    this.#isAhead = false
  }

  /** Moves the anchor to the head, with nobody writing, so that it never moves backward. */
  #moveAnchor(fromNothing: boolean): void {
    this.#store.begin()
    this.#catchUp()
    const head = this.#anchor.read()
    const problem = this.#anchorProblem(head)
    if (problem !== undefined && !(fromNothing && problem === "missing")) this.#refuse(problem)
    const next = this.#state.head()
    const isBehind = head === undefined || head.epoch < next.epoch || head.entries < next.entries
    if (isBehind) this.#anchor.write(next)
    this.#store.rollback()
  }

  #anchorProblem(head = this.#anchor.read()): AnchorProblem | undefined {
    return anchorProblem(head, anchored(this.#state, this.#store))
  }

  #refuse(problem: AnchorProblem): never {
    const { path } = this.#store
    if (problem === "missing") return fail("ledger/anchor-missing", { path, anchor: this.#anchor.path })
    return fail("ledger/rolled-back", { path, what: anchorWords[problem] })
  }

  #catchUp(): void {
    const damage = catchUp(this.#state, this.#store)
    if (damage === undefined) return
    fail("ledger/damaged", { path: this.#store.path, position: `${damage.position}`, what: damage.what })
  }

  /** Never before the last entry, whatever the clock says. */
  #time(): string {
    const now = this.#now().toISOString()
    return now < this.#state.time ? this.#state.time : now
  }

  /**
   * Runs a transaction. If it fails after something was appended, memory is not believed: all is read again.
   */
  #guarded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      const ours = this.#ours(error)
      if (this.#isAhead) this.#state = new LedgerState()
      this.#isAhead = false
      this.#store.rollback()
      throw ours
    }
  }

  #ours(error: unknown): DosimeterError {
    const { path } = this.#store
    if (error instanceof DosimeterError) return error
    if (this.#store.isBusy(error)) return errorOf("ledger/busy", { path })
    if (error instanceof Unreadable) {
      const position = `${this.#state.entries + 1n}`
      return errorOf("ledger/damaged", { path, position, what: `it ${error.message}` })
    }
    return makeError(engineErrors["ledger/failed"], { code: "ledger/failed", facts: { path }, cause: error })
  }
}
