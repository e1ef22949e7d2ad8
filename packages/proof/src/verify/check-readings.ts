// Every column of a release is read from something that was drawn.

import { unreachable } from "@dosimeter/core/errors"
import { reject } from "../units/reject.ts"
import { choiceWidth, type Reading } from "../algebra/measurement.ts"
import type { Release } from "../algebra/release-plan.ts"
import { hasGroupings } from "../algebra/grouping-sums.ts"
import { givesCounts } from "./check-keys.ts"

/**
 * Checks that readings read what measurements and keys give, that nothing is drawn for nobody, and that there
 * is a reading for each column.
 */
export function checkReadings(release: Release, keyCount: number): void {
  for (const reading of release.readings) checkReading(reading, release)
  const { readings, measurements, columns, keys } = release
  const read = new Set(readings.map((one) => ("measurement" in one ? one.measurement : -1)))
  if (measurements.some((_, place) => !read.has(place))) reject("something is measured that nothing reads")
  const groupings = hasGroupings(keys) ? 1 : 0
  if (columns.length !== keyCount + groupings + readings.length) reject("a release has other columns")
}

function checkReading(reading: Reading, { measurements, keys }: Release): void {
  switch (reading.kind) {
    case "linear": {
      const source = measurements[reading.measurement]
      if (source?.kind !== "linear") return reject("a number is read that was not measured")
      if (source.columns[reading.column] === undefined) reject("a column is read that was not measured")
      return
    }
    case "chosen": {
      const source = measurements[reading.measurement]
      if (source?.kind !== "choice") return reject("a value is read that was not chosen")
      const isThere = Number.isInteger(reading.part) && reading.part >= 0
      if (!isThere || reading.part >= choiceWidth(source)) reject("a value is read that was not chosen")
      return
    }
    case "key-count":
      if (keys.kind !== "private" || !givesCounts(keys.spec)) {
        reject("a count that key selection does not give")
      }
      return
    default:
      return unreachable(reading)
  }
}
