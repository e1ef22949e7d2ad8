// The ledger of a policy: in a file beside it, or in a store that several machines share; with its anchor
// where the owner keeps it, and with everything that remembers it.

import type { Policy } from "@dosimeter/policy/file/policy"
import { existsSync, mkdirSync, realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import { movedAnchor, type AnchorNote, type AnchorOf } from "../ledger/anchor.ts"
import type { Ledger, StatedDecision } from "../ledger/ledger.ts"
import { sourceTerm } from "../ledger/entries/loss-terms.ts"
import { openPostgresLedger } from "../ledger/stores/postgres-ledger.ts"
import { openSqliteLedger } from "../ledger/stores/sqlite-ledger.ts"
import { anchorHome, type AnchorHome } from "./anchor-home.ts"
import { writeMarker } from "./key-marker.ts"
import { sourceMarks } from "./source-marks.ts"
import { termsOfLosses } from "./terms-of-losses.ts"
import { witnessesOf } from "./witnesses.ts"

/** Where the ledger of a policy is, and what is known of it. */
export interface LedgerPlace {
  /** The policy's folder: a path in it begins here. */
  readonly folder: string
  /** The folder of its state. */
  readonly state: string
  /** The URL of a PostgreSQL that several processes share; a file in the folder of the state if left out. */
  readonly store?: string
  /** Only where this machine sees a shared ledger for the first time: a head that it is known to contain. */
  readonly join?: string
  /** Only where entries were lost: the owner goes on without them. */
  readonly acknowledge?: StatedDecision
  /** A ledger that would be refused is opened all the same: it can be read and acknowledged, not charged. */
  readonly held?: boolean
  /** What else remembers a ledger of the dataset, in a sentence: the audit trail of a server. */
  readonly remembers?: () => Promise<string | undefined>
  /** Whether copies were there without the key that they were made with. */
  readonly hasOrphans?: boolean
}

/** Opens the ledger of a policy, with its anchor where the owner keeps it. */
export async function openLedger(policy: Policy, place: LedgerPlace): Promise<Ledger> {
  const { state, store, join: head, acknowledge, held, remembers } = place
  const { dataset } = policy
  mkdirSync(state, { recursive: true })
  const note = noteOf(policy, place)
  const options = {
    dataset,
    anchor: anchorsOf(policy, place),
    ...(head === undefined ? {} : { join: head }),
    ...(acknowledge === undefined ? {} : { acknowledge }),
    ...(held === undefined ? {} : { held }),
    remembered: () =>
      witnessesOf({
        ...note,
        state,
        source: termsOfLosses(policy)[sourceTerm] ?? "",
        anchors: anchorHome().folder,
        hasOrphans: place.hasOrphans === true,
        ...(remembers === undefined ? {} : { others: remembers }),
      }),
  }
  const ledger =
    store === undefined
      ? await openSqliteLedger(ledgerFile(state, dataset), options)
      : await openPostgresLedger(store, options)
  rememberLedger(ledger, policy, place)
  return ledger
}

/** Lets the key of a dataset remember its ledger, where there is one. */
export function rememberLedger({ id }: Pick<Ledger, "id">, policy: Policy, place: LedgerPlace): void {
  if (id === "") return
  const { marks } = noteOf(policy, place)
  writeMarker(keyFile(place.state, policy.dataset), { ledger: id, marks })
}

/**
 * Where the anchors of a policy are on this machine: the file that it names, the user's folder of anchors, or
 * beside the ledger. Ledgers in files and shared ones have the same place, so that a new ledger of the other
 * kind is noticed. An anchor at an earlier default place is moved along.
 */
export function anchorsOf(policy: Policy, place: LedgerPlace): AnchorOf {
  const note = noteOf(policy, place)
  const { folder } = anchorHome()
  const beside = besideLedger(policy, place)
  const named = policy.anchor === undefined ? undefined : resolve(place.folder, policy.anchor)
  return (ledger) => {
    const own = folder === undefined ? undefined : join(folder, `${ledger}.anchor`)
    const [path = beside, ...earlier] = [named, own, beside].filter((one) => one !== undefined)
    return movedAnchor(
      path,
      earlier.filter((other) => other !== path),
      note,
    )
  }
}

/** Where the anchor of a policy's ledger lies, and what that means. */
export interface AnchorSight {
  /** `named`: by the policy. `user`: the user's folder. `container`, `unwritable`: why it is beside the ledger. */
  readonly kind: "named" | "user" | "container" | "unwritable"
  /** The file, or the folder of anchors. */
  readonly path: string
  /** Whether a backup of the folder of the state brings an old one back with the ledger. */
  readonly isInside: boolean
}

/** Where the anchor is, for people. */
export function anchorSight(
  policy: Policy,
  place: LedgerPlace,
  home: AnchorHome = anchorHome(),
): AnchorSight {
  if (policy.anchor !== undefined) {
    const path = resolve(place.folder, policy.anchor)
    return { kind: "named", path, isInside: path.startsWith(join(resolve(place.state), "/")) }
  }
  if (home.folder !== undefined) return { kind: "user", path: home.folder, isInside: false }
  return { kind: home.why, path: besideLedger(policy, place), isInside: true }
}

/** Where the ledger of a dataset is, in the folder of its state. */
export function ledgerFile(state: string, dataset: string): string {
  return join(state, `${dataset}.ledger`)
}

/** Where the key of a dataset is. */
export function keyFile(state: string, dataset: string): string {
  return join(state, `${dataset}.key`)
}

function besideLedger({ dataset }: Policy, { state }: LedgerPlace): string {
  return `${ledgerFile(state, dataset)}.anchor`
}

function noteOf(policy: Policy, { folder, state }: LedgerPlace): AnchorNote {
  const place = existsSync(state) ? realpathSync(state) : resolve(state)
  return { dataset: policy.dataset, place, marks: sourceMarks(policy, folder) }
}
