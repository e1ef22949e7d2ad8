// The datasets, in English.

/** Part of the English catalogue. */
export const dataEn = {
  title: "Datasets",
  lead: "What the owner declared, in plain words. Nothing here comes from the data.",
  protects: (unit: string) => `Each ${unit} is protected as a whole, with everything that is recorded.`,
  neighbours: {
    "add-or-remove": "What is shown hardly depends on whether one of them is in the data.",
    replace: "What is shown hardly depends on what is recorded about one of them.",
  },
  budget: (epsilon: string, delta: string) => `All answers together stay within ε ${epsilon} at δ ${delta}.`,
  question: (usual: string, most: string) =>
    `One question costs ε ${usual} unless you say otherwise, ${most} at most.`,
  norm: {
    auto: (unit: string) =>
      `Counts and sums in public groups: whoever adds more than a norm is scaled down to it. How much one ${unit} may add is learnt first, unless you say otherwise.`,
    fixed: (unit: string) =>
      `Counts and sums in public groups: whoever adds more than the norm of the groups and rows of one ${unit} is scaled down to it.`,
  },
  bounding: (unit: string, groups: string, rows: string) =>
    `Elsewhere one ${unit} counts in at most ${groups} groups, with at most ${rows} rows in each, unless you say otherwise.`,
  shownFrom: (count: string) => `Counts below ${count}, after noise, are shown as “below threshold”.`,
  slot: (ms: string) => `Answers leave at multiples of ${ms} ms, so that waiting tells nothing.`,
  studies: "Questions belong to a study that a committee has approved.",
  tables: "Tables",
  kinds: { private: "private", public: "public" },
  unitBy: (unit: string, path: string) => `each row belongs to one ${unit}, by ${path}`,
  column: "Column",
  type: "Type",
  bounds: "Declared",
  between: (low: string, high: string) => `${low} to ${high}`,
  oneOf: (values: string) => `one of ${values}`,
  andMore: (count: string) => `and ${count} more`,
  freeText: "free text: never a group",
  references: (target: string) => `refers to ${target}`,
  filter: "Find a table or column",
  nothingFound: "No table or column has that name.",
  risk: {
    title: "Risk report",
    lead: "Could people be found in this table? The report counts it, and attacks the usual rules on it.",
    warning: "It is exact and not private: for the owner alone, and as confidential as the data.",
    quasi: "What outsiders could know",
    quasiHelp: "Names of columns with commas between; empty: suggested by their names.",
    sensitive: "What nobody should learn",
    person: "Whose a row is",
    personHelp: "The column, where people have several rows; empty: as the policy says.",
    second: "A second file that has some of the same columns",
    secondHelp: "CSV with a head, 8 MB at most: a register, a list of voters, last year's release.",
    pairs: "Columns that have another name there",
    pairsHelp: "Ours, an equals sign, theirs: age=years, zip=postcode.",
    limits:
      "The report reads files, and copies tables of a PostgreSQL for as long as it takes; tables of a Trino have to be exported first.",
    make: "Make the report",
    making: "Counting; a large table takes a minute.",
    saved: (file: string) => `Saved as ${file}.`,
  },
  columns: (count: string) => (count === "1" ? "1 column" : `${count} columns`),
}
