// A check of the conformance suite: data, so that it can be run against spoilt databases too.

import type { Workbench } from "./workbench.ts"

/** Something that every database must do. It throws where a database does not. */
export interface Check {
  readonly name: string
  readonly run: (bench: Workbench) => Promise<void>
}
