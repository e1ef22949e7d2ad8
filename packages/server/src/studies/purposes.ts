// What data may be used for, in the words of the Data Use Ontology (GA4GH): purposes of studies and of
// consents, and conditions on them.

/** A code with its meaning. */
export interface Purpose {
  readonly code: string
  readonly name: string
  readonly kind: "permission" | "modifier"
}

/** The codes that are understood. */
export const purposes: readonly Purpose[] = [
  { code: "DUO:0000004", name: "no restriction", kind: "permission" },
  { code: "DUO:0000042", name: "general research use", kind: "permission" },
  { code: "DUO:0000006", name: "health, medical or biomedical research", kind: "permission" },
  { code: "DUO:0000007", name: "disease-specific research", kind: "permission" },
  { code: "DUO:0000011", name: "population origins or ancestry research", kind: "permission" },
  { code: "DUO:0000012", name: "specific research only", kind: "modifier" },
  { code: "DUO:0000018", name: "not for profit, non-commercial use only", kind: "modifier" },
  { code: "DUO:0000019", name: "publication required", kind: "modifier" },
  { code: "DUO:0000020", name: "collaboration required", kind: "modifier" },
  { code: "DUO:0000021", name: "ethics approval required", kind: "modifier" },
  { code: "DUO:0000025", name: "time limit on use", kind: "modifier" },
  { code: "DUO:0000044", name: "population origins or ancestry research prohibited", kind: "modifier" },
  { code: "DUO:0000046", name: "non-commercial use only", kind: "modifier" },
]

/** A purpose and those that contain it, the nearest first: who agreed to a wider one agreed to it. */
export function withWider(code: string): readonly string[] {
  const next = widerOf(code)
  return next === undefined ? [code] : [code, ...withWider(next)]
}

/** The purpose that contains another, if one does. */
export function widerOf(code: string): string | undefined {
  return wider.get(code)
}

/** The purposes that are directly inside of one. */
export function narrowerOf(code: string): readonly string[] {
  return [...wider].flatMap(([narrow, wide]) => (wide === code ? [narrow] : []))
}

const wider: ReadonlyMap<string, string> = new Map([
  ["DUO:0000007", "DUO:0000006"],
  ["DUO:0000006", "DUO:0000042"],
  ["DUO:0000011", "DUO:0000042"],
  ["DUO:0000042", "DUO:0000004"],
])

/** The purpose of a code, if it is one. */
export function purposeOf(code: string): Purpose | undefined {
  return purposes.find((purpose) => purpose.code === code)
}
