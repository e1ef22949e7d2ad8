// From counters of reports to how many reports stand for each value, by fast
// transforms instead of a loop over all pairs.

/** Of so many reports of columns, how many have a plus in the row of each value. */
export function hadamardCounts(columns: readonly number[], values: number): number[] {
  const sums = Float64Array.from(columns)
  walshHadamard(sums)
  // Sums of counts are exact in doubles; entry 0 is the number of reports.
  const all = sums[0] ?? 0
  return Array.from({ length: values }, (_, value) => (all + (sums[value + 1] ?? 0)) / 2)
}

/** The transform with entries (-1)^(bits that two indices share), in place. */
export function walshHadamard(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let i = start; i < start + half; i += 1) {
        const [a, b] = [values[i] ?? 0, values[i + half] ?? 0]
        values[i] = a + b
        values[i + half] = a - b
      }
    }
  }
}

/** A complex number for each place. */
export interface Complex {
  readonly real: Float64Array
  readonly imaginary: Float64Array
}

/** The discrete Fourier transform over a cube of side `size`, with e^(2 pi i x y / size), in place. */
export function fourierCube({ real, imaginary }: Complex, size: number): void {
  const { cosines, sines } = circle(size)
  const line = { real: new Float64Array(size), imaginary: new Float64Array(size) }
  for (let stride = 1; stride < real.length; stride *= size) {
    for (let block = 0; block < real.length; block += stride * size) {
      for (let start = block; start < block + stride; start += 1) {
        for (let i = 0; i < size; i += 1) {
          line.real[i] = real[start + i * stride] ?? 0
          line.imaginary[i] = imaginary[start + i * stride] ?? 0
        }
        for (let k = 0; k < size; k += 1) {
          let [sumReal, sumImaginary, turn] = [0, 0, 0]
          for (let i = 0; i < size; i += 1) {
            const [x, y] = [line.real[i] ?? 0, line.imaginary[i] ?? 0]
            const [c, s] = [cosines[turn] ?? 0, sines[turn] ?? 0]
            sumReal += x * c - y * s
            sumImaginary += x * s + y * c
            turn += k
            if (turn >= size) turn -= size
          }
          real[start + k * stride] = sumReal
          imaginary[start + k * stride] = sumImaginary
        }
      }
    }
  }
}

/** Cosines and sines of all multiples of a full turn over `size`. */
export function circle(size: number): { readonly cosines: Float64Array; readonly sines: Float64Array } {
  const angles = Array.from({ length: size }, (_, i) => (2 * Math.PI * i) / size)
  return { cosines: Float64Array.from(angles, Math.cos), sines: Float64Array.from(angles, Math.sin) }
}
