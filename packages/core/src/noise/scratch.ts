// The memory that batches work in, shared by JavaScript and the WebAssembly kernel: random words, one table's
// cells, outcomes, and the list of draws that need more bits. Everything is synchronous, so one set is
// enough.

// Only what is used of WebAssembly, declared by hand: core takes no DOM or Node types in.
declare const WebAssembly:
  | {
      Memory: new (descriptor: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
    }
  | undefined

/** 64 KiB of words: the largest request that the system source serves at once. */
export const wordsMax = 16384
/** Draws from a table in one chunk: two to a word. */
export const tableDrawsMax = 2 * wordsMax

/** The memory, if WebAssembly is there; the kernel imports it. */
export const sharedMemory =
  typeof WebAssembly === "undefined" ? undefined : new WebAssembly.Memory({ initial: 8, maximum: 8 })

const bytes: ArrayBuffer = sharedMemory?.buffer ?? new ArrayBuffer(8 * 65536)

/** Random words of the running batch. */
export const words = new Uint32Array(bytes, 0, wordsMax)
/** The cells of the table that the kernel reads. */
export const kernelCells = new Int16Array(bytes, 65536, 65536)
/** Outcomes that fit 32 bits. */
export const integers = new Int32Array(bytes, 196608, tableDrawsMax)
/** Indices of draws that need more bits; one place more than there are draws. */
export const pending = new Uint32Array(bytes, 327680, tableDrawsMax + 1)
/** Outcomes that need doubles. */
export const doubles = new Float64Array(wordsMax)

/** Clears what a batch of so many draws and words has left behind. */
export function wipeScratch(draws: number, drawnWords: number): void {
  words.fill(0, 0, Math.min(drawnWords, words.length))
  integers.fill(0, 0, Math.min(draws, integers.length))
  doubles.fill(0, 0, Math.min(draws, doubles.length))
}
