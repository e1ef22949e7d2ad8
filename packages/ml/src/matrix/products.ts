// Matrix products on a workspace of their own: by WebAssembly where the platform runs it, else in script.
// Sums of integers are the same in both to the last bit.

import { assert } from "@dosimeter/core/errors"
import { productsModule } from "./generated/products-module.ts"

// Only what is used of WebAssembly, declared by hand: no DOM or Node types are let in.
declare const WebAssembly:
  | {
      Memory: new (descriptor: { initial: number }) => { readonly buffer: ArrayBuffer }
      Module: new (bytes: Uint8Array) => object
      Instance: new (module: object, imports: object) => { readonly exports: Kernel }
    }
  | undefined
declare const atob: (text: string) => string

interface Kernel {
  products(...blocksAndSizes: readonly number[]): void
  outerSums(...blocksAndSizes: readonly number[]): void
}

/** An array of a workspace. */
export interface Block<T> {
  readonly at: number
  readonly values: T
}

/** c = a b: a is rows x inner, b is inner x columns; rows a multiple of 4, columns of 8. */
export interface FloatProduct {
  readonly a: Block<Float32Array>
  readonly b: Block<Float32Array>
  readonly c: Block<Float32Array>
  readonly rows: number
  readonly inner: number
  readonly columns: number
}

/**
 * g[i, k] = the sum over p and s of a[i, p, s] d[p, k, s], s = 0 and 1: rows come in pairs. `left` is a
 * multiple of 4, `right` of 8.
 */
export interface OuterSums {
  readonly a: Block<Int16Array>
  readonly d: Block<Int16Array>
  readonly g: Block<Int32Array>
  readonly left: number
  readonly pairs: number
  readonly right: number
}

const pageBytes = 65_536

/** Memory that products work in. Arrays are handed out once and stay. */
export class Workspace {
  readonly #buffer: ArrayBuffer
  readonly #kernel: Kernel | undefined
  #used = 0

  /** Of so many bytes; `isPlain` leaves WebAssembly out. */
  constructor(bytes: number, isPlain = false) {
    const pages = Math.ceil(bytes / pageBytes)
    const memory =
      isPlain || typeof WebAssembly === "undefined" ? undefined : new WebAssembly.Memory({ initial: pages })
    this.#buffer = memory?.buffer ?? new ArrayBuffer(pages * pageBytes)
    this.#kernel = memory === undefined ? undefined : loadKernel(memory)
  }

  floats(count: number): Block<Float32Array> {
    const at = this.#take(4 * count)
    return { at, values: new Float32Array(this.#buffer, at, count) }
  }

  halves(count: number): Block<Int16Array> {
    const at = this.#take(2 * count)
    return { at, values: new Int16Array(this.#buffer, at, count) }
  }

  integers(count: number): Block<Int32Array> {
    const at = this.#take(4 * count)
    return { at, values: new Int32Array(this.#buffer, at, count) }
  }

  products(of: FloatProduct): void {
    assert(of.rows % 4 === 0 && of.columns % 8 === 0, "rows come in fours and columns in eights")
    if (this.#kernel === undefined) productsInScript(of)
    else this.#kernel.products(of.a.at, of.b.at, of.c.at, of.rows, of.inner, of.columns)
  }

  outerSums(of: OuterSums): void {
    assert(of.left % 4 === 0 && of.right % 8 === 0, "rows come in fours and columns in eights")
    if (this.#kernel === undefined) outerSumsInScript(of)
    else this.#kernel.outerSums(of.a.at, of.d.at, of.g.at, of.left, of.pairs, of.right)
  }

  #take(bytes: number): number {
    const at = this.#used
    this.#used += Math.ceil(bytes / 16) * 16
    assert(this.#used <= this.#buffer.byteLength, "a workspace is as large as what is taken from it")
    return at
  }
}

/** The bytes of an array in a workspace. */
export function bytesOf(count: number, size: 2 | 4): number {
  return Math.ceil((count * size) / 16) * 16
}

/** The compiled module, once something needed it. */
let compiled: object | undefined

function loadKernel(memory: object): Kernel | undefined {
  if (WebAssembly === undefined) return undefined
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(productsModule), (c) => c.charCodeAt(0)))
    return new WebAssembly.Instance(compiled, { ml: { memory } }).exports
  } catch {
    // No SIMD, or a policy against WebAssembly: the loops below do the same.
    return undefined
  }
}

function productsInScript({ a, b, c, rows, inner, columns }: FloatProduct): void {
  c.values.fill(0, 0, rows * columns)
  for (let row = 0; row < rows; row += 1) {
    for (let i = 0; i < inner; i += 1) {
      const factor = a.values[row * inner + i] ?? 0
      if (factor === 0) continue
      for (let k = 0; k < columns; k += 1) {
        const at = row * columns + k
        c.values[at] = (c.values[at] ?? 0) + factor * (b.values[i * columns + k] ?? 0)
      }
    }
  }
}

function outerSumsInScript({ a, d, g, left, pairs, right }: OuterSums): void {
  g.values.fill(0, 0, left * right)
  for (let i = 0; i < left; i += 1) {
    for (let p = 0; p < pairs; p += 1) {
      const first = a.values[2 * (i * pairs + p)] ?? 0
      const second = a.values[2 * (i * pairs + p) + 1] ?? 0
      if (first === 0 && second === 0) continue
      for (let k = 0; k < right; k += 1) {
        const place = 2 * (p * right + k)
        const at = i * right + k
        g.values[at] =
          (g.values[at] ?? 0) + first * (d.values[place] ?? 0) + second * (d.values[place + 1] ?? 0)
      }
    }
  }
}
