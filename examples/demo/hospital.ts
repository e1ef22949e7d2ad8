// A small made-up hospital: 2,000 patients of the same thirty days. The records come from a simple generator
// with a fixed seed, the same in every run. That is right for made-up data and would be fatal for noise.

/** One patient: the privacy unit of the demo. */
export interface Patient {
  readonly ward: number
  readonly age: number
  readonly diagnosis: string
  /** The day of admission, from 0 to 29. */
  readonly day: number
  readonly smokes: boolean
}

/** The wards; their names are public. */
export const wards = ["Cardiology", "Surgery", "Paediatrics", "Oncology", "Emergency"] as const

/** The days of the month. */
export const days = 30

/** Common diagnoses, which may be listed in advance, and rare ones, whose very names are sensitive. */
const diagnoses = {
  common: ["hypertension", "fracture", "pneumonia", "diabetes", "asthma", "appendicitis", "migraine"],
  rare: ["sarcoidosis", "brucellosis", "porphyria", "leprosy"],
} as const

/** The diagnoses that the hospital lists in public. */
export const commonDiagnoses: readonly string[] = diagnoses.common

/** Makes the patients, the same ones every time. */
export function admitPatients(count: number): readonly Patient[] {
  const next = linearCongruential(20_260_101)
  const below = (n: number): number => Math.floor(next() * n)
  return Array.from({ length: count }, () => {
    const ward = Math.min(below(7), 4)
    const isChild = wards[ward] === "Paediatrics"
    return {
      ward,
      age: isChild ? below(16) : Math.min(99, 18 + below(38) + below(38)),
      diagnosis: drawDiagnosis(below),
      // Days 11 and 22 were bad ones.
      day: below(12) === 0 ? 11 + 11 * below(2) : below(days),
      smokes: below(100) < 23,
    }
  })
}

/** How many items fall into each of `size` places. */
export function countBy<T>(items: readonly T[], size: number, place: (item: T) => number): bigint[] {
  const counts = new Array<bigint>(size).fill(0n)
  for (const item of items) {
    const at = place(item)
    counts[at] = (counts[at] ?? 0n) + 1n
  }
  return counts
}

function drawDiagnosis(below: (n: number) => number): string {
  const { common, rare } = diagnoses
  const isRare = below(20) === 0
  // The smaller of two draws: the first of a list are the most frequent.
  const index = isRare ? Math.min(below(4), below(4), below(4)) : Math.min(below(7), below(7))
  return (isRare ? rare[index] : common[index]) ?? "unknown"
}

/** Uniform numbers in [0, 1) by x <- 1664525 x + 1013904223 mod 2^32 (Numerical Recipes). */
function linearCongruential(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
