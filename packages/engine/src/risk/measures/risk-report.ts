// What a risk report says, as plain data: the same for the page, the terminal, JSON and the screen. Its
// figures are exact. It is for the owner alone.

/** How a column could serve somebody who wants to find a person. */
export interface ColumnProfile {
  readonly column: string
  readonly role: "identifier" | "quasi" | "sensitive" | "other"
  readonly why: string
  /** Different values. */
  readonly distinct: number
  /** Whether they were estimated, within some per cent, as in large tables. */
  readonly isEstimate: boolean
  readonly missing: number
}

/** What is certain about one sensitive column to whoever knows some others. */
export interface CertainPeople {
  readonly column: string
  readonly people: number
}

/** What the values of some columns together tell. */
export interface Combination {
  readonly columns: readonly string[]
  readonly classes: number
  readonly unique: number
  readonly below5: number
  readonly below11: number
  readonly certain: readonly CertainPeople[]
}

/** Classes of a size: how many, and how many people are in them. */
export interface SizeBand {
  readonly from: number
  /** Undefined: any size from there on. */
  readonly to?: number
  readonly classes: number
  readonly people: number
}

/** The k of the table: how large the crowds are that share all quasi-identifiers. */
export interface CrowdSizes {
  readonly k: number
  readonly classes: number
  readonly median: number
  readonly sizes: readonly SizeBand[]
}

/**
 * Recursive (c, l)-diversity: with the counts of a crowd's values in falling order r1, r2, ..., it asks for
 * r1 < c (rl + ... + rm) in every crowd.
 */
export interface Recursive {
  readonly l: number
  /** The largest r1 / (rl + ... + rm): crowds of l values or more keep to every c above it. */
  readonly c: number | undefined
  /** People in crowds of fewer values, which keep to no c. */
  readonly without: number
}

/** How much the crowds differ inside: what k leaves open. */
export interface Homogeneity {
  readonly column: string
  readonly values: number
  /** The least number of different values in a class. */
  readonly l: number
  /** The least exponential of a class's entropy. */
  readonly entropyL: number
  /** For l of 2, 3 and 4, as far as there are so many values. */
  readonly recursive: readonly Recursive[]
  /** The largest distance (total variation) of a class's values from the table's. */
  readonly t: number
  /** People whose value is the only one in their class. */
  readonly certain: number
  /** Of them, those who are alone in their class. */
  readonly certainAlone: number
  /** Of them, those in a class of eleven or more. */
  readonly certainInCrowd: number
}

/** What a second file adds. */
export interface Linkage {
  readonly file: string
  readonly on: readonly string[]
  readonly records: number
  /** Pairs that are unique in both: if both are about the same people, each is one person. */
  readonly pairs: number
  /** Records that match somebody, and not one person alone. */
  readonly ambiguous: number
  readonly unmatched: number
  /** Records whose matches all have the same sensitive value. */
  readonly certain: readonly CertainPeople[]
}

/** One step of coarsening. */
export interface GeneralisationStep {
  readonly what: string
  /** The levels of all columns after it. */
  readonly levels: readonly string[]
  /** The share of the quasi-identifiers' entropy that is gone. */
  readonly lost: number
  readonly k: number
  readonly unique: number
  readonly below5: number
  readonly below11: number
  readonly certain: readonly CertainPeople[]
}

/** How many columns it takes until nobody is in a crowd. */
export interface CrowdCurve {
  readonly columns: readonly string[]
  /** Columns that were not tried, because the table is large. */
  readonly columnsLeftOut: number
  /** The rows in which a row is alone, or is not. */
  readonly rows: number
  /** For how many of them that was asked: all, or some that were drawn at random. */
  readonly looked: number
  /** Whether the rows are a sample of the table, in which more are alone than in the whole. */
  readonly isSample: boolean
  readonly points: readonly {
    readonly known: number
    /** Shares of people who are unique, over the choices of columns that were tried. */
    readonly mean: number
    readonly least: number
    readonly most: number
    readonly tried: number
  }[]
}

/** An attack that was carried out. */
export interface AttackResult {
  readonly kind: "hidden" | "rounded" | "differenced"
  readonly queries: number
  readonly targets: number
  /** The share of guesses that were right; where nothing was shown, a coin was tossed (counted as a half). */
  readonly right: number
  /** Targets about whom a number was not shown. */
  readonly hidden: number
}

/** An attack on published tables with a crowd for everybody. */
export interface TableAttack {
  readonly kind: "homogeneous" | "linked"
  /** People in the published tables. */
  readonly people: number
  readonly withheld: number
  /** People about whom each table alone makes the fact certain. */
  readonly certain: readonly number[]
  /** People about whom the tables together do. */
  readonly together: number
  /** The columns as they were published, table by table. */
  readonly levels: readonly (readonly string[])[]
  /** The same on Dosimeter's answers. */
  readonly dosimeter: AttackResult
}

/** Attacks on the owner's own table. */
export interface Attacks {
  /** What the attacker wants to know. */
  readonly fact: { readonly column: string; readonly value: string }
  /** People who were attacked among. */
  readonly rows: number
  /** Whether they were drawn from a larger table, many of them alone: shares of them are not its shares. */
  readonly isSample: boolean
  readonly k: number
  readonly epsilon: number
  /** e^epsilon / (1 + e^epsilon): no attack on the answers is right more often. */
  readonly ceiling: number
  readonly counts: readonly AttackResult[]
  readonly dosimeter: AttackResult | undefined
  readonly tables: readonly TableAttack[]
  /** Why some were left out. */
  readonly leftOut: readonly string[]
}

/** One row, where the owner asked for rows. */
export interface FoundRow {
  readonly values: Readonly<Record<string, string | null>>
}

/** The report. */
export interface RiskReport {
  readonly format: "dosimeter-risk/1"
  /** That it is exact and not private. */
  readonly warning: string
  readonly table: string
  readonly rows: number
  /** Where several rows are of one person. */
  readonly person?: { readonly column: string; readonly varying: number }
  /** Where each row was taken as one person, and a column says otherwise by its name. */
  readonly personSuggested?: {
    readonly column: string
    readonly people: number
    readonly isEstimate: boolean
  }
  readonly quasi: readonly string[]
  /** Whether the columns were chosen here, by their names. */
  readonly chosen: boolean
  readonly sensitive: readonly string[]
  readonly columns: readonly ColumnProfile[]
  readonly combinations: readonly Combination[]
  /** Combinations that were not counted, so that the report ends in time. */
  readonly combinationsLeftOut: number
  readonly crowds: CrowdSizes
  readonly homogeneity: readonly Homogeneity[]
  readonly generalisation: readonly GeneralisationStep[]
  readonly curve: CrowdCurve | undefined
  readonly linkage: Linkage | undefined
  readonly attacks: Attacks | undefined
  readonly found: readonly FoundRow[]
}

/** What every report says of itself. */
export const riskWarning =
  "This report is exact and not private. It describes real people; keep it as carefully as the data itself."
