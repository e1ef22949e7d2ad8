// A column that was measured together, as text: its noisy measurements and the law of their noise.

import { showRational, type Rational } from "@dosimeter/core/exact"
import type { JointLaw } from "@dosimeter/answers/measurements/noise-law"
import type { JointShape, KeptJoint } from "@dosimeter/answers/reuse/joint-column"
import {
  countField,
  fieldOf,
  listField,
  readText,
  textField,
  wordField,
} from "../ledger/entries/canonical.ts"
import { readList, readRational, readWhole } from "./kept-values.ts"

/** The column as plain data. */
export function writeJoint({ kind, shape, law, noisy, grid, bits, isWhole, draw }: KeptJoint): object {
  return {
    kind,
    shape,
    law: writeLaw(law),
    noisy,
    grid: showRational(grid),
    bits: BigInt(bits),
    isWhole,
    draw: BigInt(draw),
  }
}

function writeLaw(law: JointLaw): object {
  const { kind } = law
  switch (kind) {
    case "cells":
      return { kind, scale: showRational(law.scale) }
    case "parts":
      return {
        kind,
        parts: law.parts.map(({ attributes, variance }) => ({
          attributes,
          variance: showRational(variance),
        })),
      }
    case "levels": {
      const { weights, total, variances } = law
      const shown = variances.map((level) => level.map(showRational))
      return { kind, weights, total: showRational(total), variances: shown }
    }
    default:
      return kind satisfies never
  }
}

/** Reads a column. Throws Unreadable. */
export function readJoint(value: unknown): KeptJoint {
  return {
    kind: "joint",
    shape: readShape(fieldOf(value, "shape")),
    law: readLaw(fieldOf(value, "law")),
    noisy: listField(value, "noisy", wholes),
    grid: fraction(value, "grid"),
    bits: Number(countField(value, "bits")),
    isWhole: fieldOf(value, "isWhole") === true,
    draw: Number(countField(value, "draw")),
  }
}

function readShape(value: unknown): JointShape {
  const kind = wordField(value, "kind", ["table", "tree"])
  return kind === "table"
    ? { kind, sizes: listField(value, "sizes", readWhole) }
    : { kind, children: listField(value, "children", (level) => readList(level).map(Number)) }
}

function readLaw(value: unknown): JointLaw {
  const kind = wordField(value, "kind", ["cells", "parts", "levels"])
  switch (kind) {
    case "cells":
      return { kind, scale: fraction(value, "scale") }
    case "parts":
      return {
        kind,
        parts: listField(value, "parts", (part) => ({
          attributes: listField(part, "attributes", Number),
          variance: fraction(part, "variance"),
        })),
      }
    case "levels":
      return {
        kind,
        weights: listField(value, "weights", wholes),
        total: fraction(value, "total"),
        variances: listField(value, "variances", (level) =>
          readList(level).map((one) => readRational(readText(one))),
        ),
      }
    default:
      return kind satisfies never
  }
}

function wholes(value: unknown): readonly bigint[] {
  return readList(value).map(readWhole)
}

function fraction(value: unknown, key: string): Rational {
  return readRational(textField(value, key))
}
