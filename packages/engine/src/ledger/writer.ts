// The only writer of a ledger within a process. Wishes that wait at the same time are decided one after the
// other and share one commit and one write of the anchor; each is answered when both are on disk. Reads take
// turns with it, so that nobody sees an entry before it is durable.

import { randomUUID } from "node:crypto"
import { assert, DosimeterError, makeError } from "@dosimeter/core/errors"
import { engineErrors, errorOf, fail } from "../errors.ts"
import { anchorProblem, type Anchor, type AnchorOf, type AnchorProblem } from "./anchor.ts"
import { storeLost } from "../postgres/postgres-trouble.ts"
import { refusalOf, type Beginning, type Remembered } from "./beginning.ts"
import { Unreadable } from "./entries/canonical.ts"
import { nextTime } from "./entries/entry-time.ts"
import type { EntryRow, EntryStore, NewRow } from "./entry-store.ts"
import type { Verification } from "./ledger.ts"
import { LedgerState } from "./ledger-state.ts"
import { anchored, catchUp, verifyStore } from "./replay.ts"
import { joinedHead } from "./entries/stated-loss.ts"
import { Turns } from "./turns.ts"
import type { Proposal, Wish } from "./wish.ts"

interface Job {
  readonly wish: Wish
  readonly done: (row: EntryRow | undefined) => void
  readonly refused: (error: unknown) => void
}

interface Reader {
  readonly look: () => Promise<void>
  readonly refused: (error: unknown) => void
}

/** Entries that were decided together, and the callbacks of the wishes behind them. */
interface Decided {
  readonly rows: readonly NewRow[]
  readonly answers: readonly (() => void)[]
}

/** Wishes in one transaction: others wait for its end. */
const groupMax = 256
/** How often something is tried whose connection is lost. */
const triesMax = 4
/** How often a machine looks at a shared ledger, and how often its anchor follows what others entered. */
const watchMs = 5000
const followMs = 1000

/** Decides, appends and anchors. */
export class LedgerWriter {
  /** A random id of this opening of the ledger, which answers the charges that it makes. */
  readonly holder: string = randomUUID()
  readonly #store: EntryStore
  readonly #anchorOf: AnchorOf
  #anchor: Anchor
  /** Why nothing is entered, where a ledger that is refused stays open. */
  #held: DosimeterError | undefined
  readonly #now: () => Date
  readonly #turns = new Turns()
  #state = new LedgerState()
  #queue: Job[] = []
  #readers: Reader[] = []
  #scheduled = false
  /** Whether other processes have written lately. */
  #isCrowded = false
  /** Whether the state holds entries that are not committed. */
  #isAhead = false
  /** When the anchor was last moved. */
  #movedAt = 0
  #watch: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined

  constructor(options: {
    readonly store: EntryStore
    readonly anchor: Anchor | AnchorOf
    readonly now: () => Date
  }) {
    const { anchor } = options
    this.#store = options.store
    this.#anchorOf = typeof anchor === "function" ? anchor : () => anchor
    this.#anchor = this.#anchorOf("")
    this.#now = options.now
  }

  /**
   * Begins: reads and checks everything, holds it against the anchor, makes the first entry if there is none.
   * An empty file under an anchor that has seen entries is a lost ledger, not a new one; so is one that
   * anything else remembers.
   */
  async start(begin: Beginning): Promise<void> {
    await this.#turns.take(async () => this.#guarded(async () => this.#begin(begin)))
    if (!this.#store.isShared) return
    // Problems are reported to the next reader; this look only moves the anchor.
    const look = (): void => void this.read(() => undefined).catch(() => undefined)
    this.#watch ??= setInterval(look, watchMs).unref()
  }

  async #begin(begin: Beginning): Promise<void> {
    await this.#store.begin()
    const broken = await this.#store.selfCheck("quick")
    if (broken !== undefined) fail("ledger/damaged", { path: this.#store.path, position: "0", what: broken })
    await this.#catchUp()
    const isEmpty = this.#state.entries === 0n
    this.#anchor = this.#anchorOf(isEmpty ? begin.id : this.#state.ledger)
    if (begin.join !== undefined && this.#store.isShared) await this.#join(begin.join)
    const remembered = isEmpty ? await begin.remembered() : []
    const known = this.#anchor.read()
    const problem = isEmpty && known === undefined ? undefined : await this.#anchorProblem(known)
    this.#held = this.#refusalOf(problem, remembered)
    if (this.#held !== undefined && begin.acknowledge === undefined) {
      if (!begin.held) throw this.#held
      return this.#store.rollback()
    }
    if (this.#held === undefined && begin.acknowledge !== undefined) {
      fail("ledger/nothing-lost", { path: this.#store.path })
    }
    // Written before the first entry: a process that stops in between leaves an anchor that any ledger
    // extends.
    if (isEmpty && known === undefined) this.#anchor.write(this.#state.head())
    const rows: NewRow[] = []
    if (isEmpty) rows.push(this.#accept({ entry: begin.opening(this.#time()) }))
    begin.check(this.#state)
    if (begin.acknowledge !== undefined) {
      const head = known ?? joinedHead(remembered.flatMap((one) => one.head ?? []))
      rows.push(this.#accept({ entry: begin.acknowledge(this.#state, head, this.#time()) }))
    }
    await this.#commit(rows)
    await this.#moveAnchor(problem === "missing")
    this.#held = undefined
    for (const { release } of remembered) release?.()
  }

  /** Why nothing can be entered; undefined if it can. */
  async trouble(): Promise<DosimeterError | undefined> {
    this.#checkOpen()
    return this.#turns.take(async () =>
      this.#guarded(async () => {
        if (this.#held !== undefined) return this.#held
        await this.#catchUp()
        return this.#refusalOf(await this.#anchorProblem())
      }),
    )
  }

  /** The state with all entries that any process has committed. */
  async read<Result>(
    look: (state: LedgerState, store: EntryStore) => Result | Promise<Result>,
  ): Promise<Result> {
    this.#checkOpen()
    return new Promise<Result>((done, refused) => {
      const reader = async (): Promise<void> => {
        try {
          done(await look(this.#state, this.#store))
        } catch (error) {
          // An error that concerns one reader is reported to that reader only.
          if (this.#store.isPassing(error)) throw error
          refused(this.#ours(error))
        }
      }
      this.#readers.push({ look: reader, refused })
      // Readers that arrive before the turn starts are batched into it.
      if (this.#readers.length === 1) void this.#turns.take(async () => this.#lookTogether())
    })
  }

  /** Reads everything again from the first entry. */
  async verify(): Promise<Verification> {
    this.#checkOpen()
    return this.#turns.take(async () => this.#guarded(async () => verifyStore(this.#store, this.#anchor)))
  }

  /** Waits for its turn; resolves when the entry, if there is one, and its anchor are durable. */
  async submit(wish: Wish): Promise<EntryRow | undefined> {
    this.#checkOpen()
    return new Promise((done, refused) => {
      this.#queue.push({ wish, done, refused })
      this.#schedule()
    })
  }

  /** Answers those who wait, then closes the store. */
  async close(): Promise<void> {
    this.#closing ??= this.#finish()
    return this.#closing
  }

  async #finish(): Promise<void> {
    clearInterval(this.#watch)
    while (this.#queue.length > 0) await this.#turns.take(async () => this.#flush())
    await this.#turns.take(async () => this.#store.close())
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) fail("ledger/closed", { path: this.#store.path })
  }

  #schedule(): void {
    if (this.#scheduled || this.#queue.length === 0) return
    this.#scheduled = true
    const turn = async (): Promise<void> => {
      await this.#turns.take(async () => this.#flush())
      this.#scheduled = false
      this.#schedule()
    }
    // After the callbacks of this turn, so that all wishes made in it share one commit. Where other processes
    // write too and the lock is not fair, a little later: a process that takes the lock again at once keeps
    // others out.
    if (this.#isCrowded && this.#store.yieldMs > 0) setTimeout(() => void turn(), this.#store.yieldMs)
    else setImmediate(() => void turn())
  }

  async #lookTogether(): Promise<void> {
    const readers = this.#readers.splice(0)
    try {
      await this.#guarded(async () => {
        const known = this.#state.entries
        await this.#catchUp()
        if (this.#state.entries > known) await this.#follow()
        for (const { look } of readers) await look()
      })
    } catch (error) {
      for (const { refused } of readers) refused(error)
    }
  }

  async #flush(): Promise<void> {
    const jobs = this.#queue.splice(0, groupMax)
    if (jobs.length === 0) return
    try {
      let tried: Decided | undefined
      await this.#guarded(async () => {
        await this.#enter()
        if (tried !== undefined && (await this.#isEntered(tried))) await this.#store.rollback()
        else {
          if (jobs.some(({ wish }) => wish.holds === true)) await this.#store.live(this.holder)
          tried = await this.#decide(jobs)
          await this.#commit(tried.rows)
        }
        if (tried.rows.length > 0) await this.#moveAnchor(false)
      })
      for (const answer of tried?.answers ?? []) answer()
    } catch (error) {
      // Whatever was appended is rolled back, or stands as a charge without an answer.
      for (const { refused } of jobs) refused(error)
    }
  }

  /** Begins a transaction on the newest state. */
  async #enter(): Promise<void> {
    if (this.#held !== undefined) throw this.#held
    await this.#store.begin()
    const known = this.#state.entries
    await this.#catchUp()
    this.#isCrowded = this.#state.entries > known
    const problem = await this.#anchorProblem()
    if (problem !== undefined) this.#refuse(problem)
  }

  /**
   * Whether entries whose commit was lost with its connection were committed. The holder of the lock can
   * tell: a transaction keeps the lock until it has ended, and the last hash covers all entries before it.
   */
  async #isEntered({ rows }: Decided): Promise<boolean> {
    const last = rows.at(-1)?.row
    if (last === undefined) return false
    return (await anchored(this.#state, this.#store).hashAt(last.position)) === last.hash
  }

  async #decide(jobs: readonly Job[]): Promise<Decided> {
    const requests = jobs.flatMap(({ wish: { request } }) => request ?? [])
    const known = requests.length === 0 ? [] : await this.#store.chargesOf([...new Set(requests)])
    const charged = new Map(known.map((row) => [row.keys.request, row]))
    const rows: NewRow[] = []
    const answers = jobs.map(({ wish: { request, propose }, done, refused }) => {
      let proposal: Proposal | undefined
      try {
        const earlier = request === undefined ? undefined : charged.get(request)
        proposal = propose({ state: this.#state, at: this.#time(), charged: earlier })
      } catch (error) {
        // A refusal concerns one wish; proposing has changed nothing.
        return () => refused(error)
      }
      if (proposal === undefined) return () => done(undefined)
      const accepted = this.#accept(proposal)
      rows.push(accepted)
      if (request !== undefined) charged.set(request, accepted.row)
      return () => done(accepted.row)
    })
    return { rows, answers }
  }

  /** Takes an entry into the state; the caller commits it. */
  #accept({ entry, release }: Proposal): NewRow {
    const row = this.#state.rowOf(entry)
    this.#isAhead = true
    const damage = this.#state.accept(row)
    assert(damage === undefined, `an entry of our own is accepted (${damage?.what})`)
    return release === undefined ? { row } : { row, release }
  }

  async #commit(rows: readonly NewRow[]): Promise<void> {
    if (rows.length === 0) return this.#store.rollback()
    await this.#store.append(rows)
    await this.#store.commit()
    this.#isAhead = false
  }

  /** Moves the anchor to the head, with nobody writing, so that it never moves backward. */
  async #moveAnchor(fromNothing: boolean): Promise<void> {
    await this.#store.begin()
    await this.#catchUp()
    const head = this.#anchor.read()
    const problem = await this.#anchorProblem(head)
    if (problem !== undefined && !(fromNothing && problem === "missing")) this.#refuse(problem)
    const next = this.#state.head()
    const isBehind = head === undefined || head.epoch < next.epoch || head.entries < next.entries
    if (isBehind || this.#anchor.isElsewhere?.() === true) this.#anchor.write(next)
    this.#movedAt = this.#now().getTime()
    await this.#store.rollback()
  }

  /**
   * Moves the anchor to what other machines have entered, so that this one notices if that is lost. Where a
   * ledger is not shared, the process that made an entry has moved the same anchor.
   */
  async #follow(): Promise<void> {
    const isRecent = Math.abs(this.#now().getTime() - this.#movedAt) < followMs
    if (this.#store.isShared && !isRecent) await this.#moveAnchor(false)
  }

  async #anchorProblem(head = this.#anchor.read()): Promise<AnchorProblem | undefined> {
    return anchorProblem(head, anchored(this.#state, this.#store))
  }

  /** Makes the first anchor of this machine: the ledger holds an entry that somebody vouches for. */
  async #join(hash: string): Promise<void> {
    const { path } = this.#store
    if ((await this.#store.positionOf(hash)) === undefined) fail("ledger/other-head", { path })
    if (this.#anchor.read() === undefined) this.#anchor.write(this.#state.head())
  }

  #refuse(problem: AnchorProblem): never {
    const refusal = this.#refusalOf(problem)
    assert(refusal !== undefined, "a problem is a refusal")
    throw refusal
  }

  #refusalOf(
    problem: AnchorProblem | undefined,
    remembered: readonly Remembered[] = [],
  ): DosimeterError | undefined {
    const { path, isShared } = this.#store
    return refusalOf(problem, remembered, { path, isShared, anchor: this.#anchor.path })
  }

  async #catchUp(): Promise<void> {
    const damage = await catchUp(this.#state, this.#store)
    if (damage === undefined) return
    fail("ledger/damaged", { path: this.#store.path, position: `${damage.position}`, what: damage.what })
  }

  #time(): string {
    return nextTime(this.#now(), this.#state.time)
  }

  /**
   * Runs a transaction, again if its connection is lost. If it fails after something was decided, the state
   * in memory is discarded and everything is read again.
   */
  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        const ours = this.#ours(error)
        if (this.#isAhead) this.#state = new LedgerState()
        this.#isAhead = false
        await this.#store.rollback()
        if (tries >= triesMax || !this.#store.isPassing(error)) throw ours
      }
    }
  }

  #ours(error: unknown): DosimeterError {
    const { path } = this.#store
    if (error instanceof DosimeterError) return error
    if (this.#store.isBusy(error)) return errorOf("ledger/busy", { path })
    if (this.#store.isPassing(error)) return storeLost()
    if (this.#store.isDamage(error)) {
      return errorOf("ledger/damaged", { path, position: "0", what: "the database file is corrupt" })
    }
    if (error instanceof Unreadable) {
      const position = `${this.#state.entries + 1n}`
      return errorOf("ledger/damaged", { path, position, what: `it ${error.message}` })
    }
    return makeError(engineErrors["ledger/failed"], { code: "ledger/failed", facts: { path }, cause: error })
  }
}
