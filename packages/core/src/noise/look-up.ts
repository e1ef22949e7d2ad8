// Draws from a table in bulk. The loop exists twice: in JavaScript, which is the reference, and in
// WebAssembly (look-up.wat), which is used where the platform has it. On the same words both give the same
// outcomes.

import type { RandomBits } from "../random/random-bits.ts"
import { lookUpModule } from "./generated/look-up-module.ts"
import { ambiguous, type LazyTable } from "./lazy-table.ts"
import { storeDraw, type NoiseArray, type Spill } from "./noise-array.ts"
import { integers, kernelCells, pending, sharedMemory, tableDrawsMax, wipeScratch, words } from "./scratch.ts"

/** Looks up two draws for each of the first `count` words; returns how many indices it put on `pending`. */
export type LookUp = (cells: Int16Array, count: number) => number

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { readonly exports: { lookUp(words: number): number } }
}
declare const atob: (text: string) => string

/**
 * Fills `out` with independent draws from a table, by the fastest loop there is.
 *
 * Guarantee: as fillWith; which loop runs does not change the draws made from the same words.
 * Needs: as fillWith.
 * Proof: the two loops write the same integers and the same list for the same words (compared in a test).
 * Numerics: as fillWith.
 * Source: as LazyTable.
 */
export function fillFromTable(out: NoiseArray, table: LazyTable, rng: RandomBits): Spill[] {
  lookUp ??= loadKernel() ?? lookUpInScript
  return fillWith(lookUp, { out, table, rng })
}

let lookUp: LookUp | undefined

/** What one fill works on. */
export interface Fill {
  readonly out: NoiseArray
  readonly table: LazyTable
  readonly rng: RandomBits
}

/**
 * Fills with a given loop: `fillFromTable` chooses, tests and benchmarks compare.
 *
 * Guarantee: entry i has the table's law, independently of the others; what does not fit is in the list
 *   returned.
 * Needs: the loop puts cells[half word] for each half word, and the index of every split cell on `pending`.
 * Proof: each draw has 16 bits of its own; a split one is finished by LazyTable from those bits and fresh
 *   ones. The words stay as they are until the chunk's last draw is finished.
 * Numerics: small integers, or spilled.
 * Source: as LazyTable.
 */
export function fillWith(loop: LookUp, { out, table, rng }: Fill): Spill[] {
  const spills: Spill[] = []
  try {
    for (let start = 0; start < out.length; start += tableDrawsMax) {
      const count = Math.min(tableDrawsMax, out.length - start)
      const used = (count + 1) >> 1
      rng.fill(words.subarray(0, used))
      const waiting = loop(table.cells, used)
      out.set(integers.subarray(0, count), start)
      for (let i = 0; i < waiting; i += 1) {
        const index = pending[i] ?? 0
        if (index >= count) continue
        const word = words[index >> 1] ?? 0
        const cell = index % 2 === 0 ? word & 0xffff : word >>> 16
        const spill = storeDraw(out, start + index, table.outcome(cell, rng))
        if (spill !== undefined) spills.push(spill)
      }
    }
  } finally {
    // Also where the random source fails on the way.
    wipeScratch(out.length, (out.length + 1) >> 1)
  }
  return spills
}

/**
 * The reference loop: two look-ups a word, four words a turn (the last turn may run past `count`, within the
 * arrays). Each index is stored on `pending` and counted only if its cell is split: no branch to mispredict.
 */
export function lookUpInScript(cells: Int16Array, count: number): number {
  // Locals: a binding imported from another module is looked up again at each use by some loaders.
  const [input, outcomes, waits] = [words, integers, pending]
  let waiting = 0
  for (let w = 0, o = 0; w < count; w += 4, o += 8) {
    const first = input[w] ?? 0
    const second = input[w + 1] ?? 0
    const third = input[w + 2] ?? 0
    const fourth = input[w + 3] ?? 0
    const a = cells[first & 0xffff] ?? 0
    const b = cells[first >>> 16] ?? 0
    const c = cells[second & 0xffff] ?? 0
    const d = cells[second >>> 16] ?? 0
    const e = cells[third & 0xffff] ?? 0
    const f = cells[third >>> 16] ?? 0
    const g = cells[fourth & 0xffff] ?? 0
    const h = cells[fourth >>> 16] ?? 0
    outcomes[o] = a
    outcomes[o + 1] = b
    outcomes[o + 2] = c
    outcomes[o + 3] = d
    outcomes[o + 4] = e
    outcomes[o + 5] = f
    outcomes[o + 6] = g
    outcomes[o + 7] = h
    waits[waiting] = o
    waiting += (a - ambiguous) >>> 31
    waits[waiting] = o + 1
    waiting += (b - ambiguous) >>> 31
    waits[waiting] = o + 2
    waiting += (c - ambiguous) >>> 31
    waits[waiting] = o + 3
    waiting += (d - ambiguous) >>> 31
    waits[waiting] = o + 4
    waiting += (e - ambiguous) >>> 31
    waits[waiting] = o + 5
    waiting += (f - ambiguous) >>> 31
    waits[waiting] = o + 6
    waiting += (g - ambiguous) >>> 31
    waits[waiting] = o + 7
    waiting += (h - ambiguous) >>> 31
  }
  return waiting
}

/** Whose cells lie in the kernel's memory; one for all kernels, since they share it. */
let loadedCells: Int16Array | undefined

/**
 * The WebAssembly loop, or undefined where the platform does not run it (no SIMD, or a policy against it).
 */
export function loadKernel(): LookUp | undefined {
  if (sharedMemory === undefined) return undefined
  try {
    const module = new WebAssembly.Module(Uint8Array.from(atob(lookUpModule), (c) => c.charCodeAt(0)))
    const { exports } = new WebAssembly.Instance(module, { core: { memory: sharedMemory } })
    return (cells, count) => {
      if (loadedCells !== cells) {
        kernelCells.set(cells)
        loadedCells = cells
      }
      return exports.lookUp(count)
    }
  } catch {
    // The kernel only speeds things up; without it the reference loop gives the same draws.
    return undefined
  }
}
