// Prepared copies of a dataset's tables: where a database keeps them, and whether they may be read.

import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import type { DataVersion } from "./data-version.ts"

/** Where copies of a dataset are kept. */
export interface CopyPlace {
  /** The folder of the dataset's state on this machine. */
  readonly state: string
  readonly dataset: string
}

/** The copies of one dataset, in a file of ours or in a schema of the database. */
export interface Copies {
  /** The path before a copy's name, as printed SQL spells it. */
  readonly schema: readonly string[]
  /** Whether some were ever made and are still there, of whichever version. */
  areThere(): Promise<boolean>
  /**
   * Opens and gives those that may be read: finished, made of this version of the data under its secret, by
   * the same query and the same version of the database. Others are as if they were not there.
   */
  open(wanted: WantedCopies): Promise<readonly PreparedTable[]>
  /**
   * Makes what is missing, opens all and drops what they replace. One process at a time; others wait and find
   * them made. A try that was stopped is continued by the next ("dataset/not-prepared"); data that changes
   * meanwhile is refused, and nothing of it kept ("dataset/changed").
   */
  make(wanted: WantedCopies, options: MakeOptions): Promise<readonly PreparedTable[]>
  /** What the owner is told of them. */
  stored(): Promise<StoredCopies>
}

/** Copies that are wanted, and the data that they are to be made of. */
export interface WantedCopies {
  readonly copies: readonly PreparedTable[]
  readonly version: DataVersion
}

/** How copies are made. */
export interface MakeOptions {
  readonly onProgress?: (progress: PrepareProgress) => void
  readonly signal?: AbortSignal
}

/** How far it is. */
export interface PrepareProgress {
  /** The copy that is being made, or was made last. */
  readonly label: string
  readonly done: number
  readonly total: number
}

/** Where copies are and how much room they take. */
export interface StoredCopies {
  /** A file, or a schema's name. */
  readonly place: string
  readonly bytes: number
}
