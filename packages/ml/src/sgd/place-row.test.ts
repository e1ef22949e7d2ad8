import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { normal } from "../testing/made-up.ts"
import { gradientBound, halfMax, inputSteps } from "./network.ts"
import { chunkRows, placeRow, type PlacedLayer } from "./place-row.ts"

const rng = seededBits("one row placed")

function layerOf(ins: number, outs: number, isOdd: boolean): PlacedLayer {
  const width = Math.ceil(outs / 8) * 8
  const left = Math.ceil((ins + 1) / 4) * 4
  const odd = [NaN, Infinity, -Infinity, 1e30]
  return {
    ins,
    outs,
    width,
    steps: Int16Array.from({ length: chunkRows * (ins + 1) }, (_, at) =>
      at % (ins + 1) === ins ? inputSteps : rng.word() % halfMax,
    ),
    errors: {
      values: Float32Array.from({ length: chunkRows * outs }, () =>
        isOdd && rng.word() % 3 === 0 ? (odd[rng.word() % odd.length] ?? 0) : normal(rng),
      ),
    },
    left: { values: new Int16Array(chunkRows * left) },
    right: { values: new Int16Array(chunkRows * width) },
  }
}

/** The squared length of what a row adds, from what stands in its places alone. */
function squarePlaced({ ins, outs, width, left, right }: PlacedLayer, row: number): bigint {
  let sum = 0n
  for (let i = 0; i <= ins; i += 1) {
    for (let k = 0; k < outs; k += 1) {
      const input = BigInt(left.values[i * chunkRows + row] ?? 0)
      const error = BigInt(right.values[2 * (row >> 1) * width + (row & 1) + 2 * k] ?? 0)
      sum += (input * error) ** 2n
    }
  }
  return sum
}

test("whatever it is scaled by, a row adds nothing longer than the bound", () => {
  const most = BigInt(gradientBound) ** 2n
  let [placed, dropped] = [0, 0]
  for (const isOdd of [false, true]) {
    const layers = [layerOf(5, 7, isOdd), layerOf(7, 3, isOdd), layerOf(3, 1, isOdd)]
    for (let row = 0; row < chunkRows; row += 1) {
      // From far within the bound to far above it, in small steps, so that some of either lie close to it.
      const scale = isOdd && row % 16 === 0 ? NaN : 2 ** (-4 + row / 12)
      placeRow(layers, row, scale)
      const square = layers.reduce((sum, layer) => sum + squarePlaced(layer, row), 0n)
      expect(square).toBeLessThanOrEqual(most)
      if (square === 0n) dropped += 1
      else placed += 1
    }
  }
  expect(Math.min(placed, dropped)).toBeGreaterThan(50)
})
