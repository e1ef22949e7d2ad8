// What an operator asks of every sum that this site takes part in, whatever a coordinator proposes: the more
// sites there must be, the less an answer tells of one of them.

import { fail } from "../errors.ts"
import type { JobDocument } from "./job.ts"

/** The least that a summed job must state. */
export interface JobFloor {
  /** How many sites it names. */
  readonly sites: number
  /** How many shares of the noise nobody may know. */
  readonly honest: number
  /** How many sites' shares are not counted on. */
  readonly colluding: number
}

/** What every sum has: one of fewer sites would hide nobody, and each site knows one share, its own. */
export const usualFloor: JobFloor = { sites: 3, honest: 2, colluding: 1 }

/** Refuses a summed job below the floor. In the mode "separate" a site's noise needs no other site. */
export function checkFloor(document: JobDocument, floor: JobFloor = usualFloor): void {
  if (document.mode === "separate") return
  const { sites, honest, colluding } = document
  atLeast(floor.sites, sites.length, "sites")
  atLeast(floor.honest, honest, "honest sites")
  atLeast(floor.colluding, colluding, "sites in league")
}

function atLeast(least: number, got: number, what: string): void {
  if (got >= least) return
  fail("federation/not-for-us", {
    what: `it counts ${got} ${what}, and this site asks for at least ${least}`,
  })
}
