// SHA-256 in plain script, for the hash of a protocol's parameters: short inputs, no platform, no waiting.

/** The hash of a text's UTF-8 bytes, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = padded(utf8(text))
  const state = Uint32Array.from(initial)
  const schedule = new Uint32Array(64)
  for (let start = 0; start < bytes.length; start += 64) {
    for (let i = 0; i < 16; i += 1) {
      let word = 0
      for (let j = 0; j < 4; j += 1) word = (word << 8) | (bytes[start + 4 * i + j] ?? 0)
      schedule[i] = word
    }
    compress(state, schedule)
  }
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("")
}

/** A text as UTF-8; lone surrogates become the replacement character. */
export function utf8(text: string): number[] {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point
    const tail = (shift: number): number => 0x80 | ((code >> shift) & 0x3f)
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(0))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), tail(6), tail(0))
    else bytes.push(0xf0 | (code >> 18), tail(12), tail(6), tail(0))
  }
  return bytes
}

function padded(bytes: readonly number[]): number[] {
  const zeros = (119 - (bytes.length % 64)) % 64
  const bits = bytes.length * 8
  const length = Array.from({ length: 8 }, (_, i) => Math.floor(bits / 2 ** (8 * (7 - i))) % 256)
  return [...bytes, 0x80, ...new Array<number>(zeros).fill(0), ...length]
}

function compress(state: Uint32Array, w: Uint32Array): void {
  const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by))
  const at = (list: Uint32Array, i: number): number => list[i] ?? 0
  for (let i = 16; i < 64; i += 1) {
    const [a, b] = [at(w, i - 15), at(w, i - 2)]
    const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
    const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
    w[i] = at(w, i - 16) + low + at(w, i - 7) + high
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i += 1) {
    const first =
      h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(rounds, i) + at(w, i)
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = at(state, i) + word
}

/** The first 32 bits after the point of the square and cube roots of the first primes. */
const primes = Array.from({ length: 310 }, (_, i) => i + 2).filter((n) => {
  for (let divisor = 2; divisor * divisor <= n; divisor += 1) if (n % divisor === 0) return false
  return true
})
const rounds = Uint32Array.from(primes.slice(0, 64), (prime) => rootBits(BigInt(prime), 3n))
const initial = Uint32Array.from(primes.slice(0, 8), (prime) => rootBits(BigInt(prime), 2n))

/** floor(n^(1/k) 2^32) mod 2^32, by halving. */
function rootBits(n: bigint, k: bigint): number {
  const scaled = n << (32n * k)
  let [low, high] = [0n, 1n << 40n]
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** k <= scaled) low = middle
    else high = middle
  }
  return Number(low & 0xffffffffn)
}
