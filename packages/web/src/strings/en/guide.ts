// The texts of the guided set-up, in English.

/** Part of the English catalogue. */
export const guideEn = {
  open: "Set up a dataset from files",
  title: "Set up a dataset",
  lead: "From files to a policy in five steps. Everything happens in this browser: nothing is uploaded.",
  steps: ["Files", "Whose rows", "Budget", "Columns", "Policy"],
  next: "Next",
  pick: "Choose files",
  pickHelp:
    "CSV, TSV, NDJSON or JSON lines, also with .gz; each file is a table. Only the beginning of each is read, here on your computer, for names and types. Values are neither kept nor sent.",
  name: "Name of the dataset",
  nameHelp: "Letters, digits, - and _.",
  file: "File",
  table: "Table",
  columns: "Columns",
  rows: "Rows looked at",
  allRows: (count: string) => `all ${count}`,
  firstRows: (count: string) => `the first ${count}`,
  guessed:
    "Types are guessed from the beginning of a file. The command dosimeter check compares them with all of it.",
  remove: "Remove",
  problems: {
    ending: (file: string) => `${file}: only .csv, .tsv, .ndjson and .jsonl can be read here.`,
    empty: (file: string) => `${file}: there is nothing in it.`,
    shape: (file: string) => `${file}: not every line is a JSON object.`,
    unread: (file: string) => `${file}: it could not be read.`,
    mixed: (file: string) => `${file}: one dataset has files of one format; it was left out.`,
  },
  otherSources:
    "For DuckDB, Parquet or a database, run dosimeter init where the data is. It proposes the same policy.",
  unitsLead:
    "The promise protects one person with all their rows. Say for each table which column holds the id of the person.",
  unitOf: (table: string) => `Whose rows are in ${table}?`,
  units: {
    column: (name: string) => `of the person in ${name}`,
    path: (path: string) => `of somebody, by ${path}`,
    row: "each row is a person of its own",
    public: "nobody's: the table is public",
    deny: "not decided: the table stays closed",
  },
  known: (count: string) => `${count} tables belong to a schema that is known: nothing to decide there.`,
  publicWarning: "A public table is shown as it is, without noise.",
  budgetLead:
    "The most that all answers together may reveal about one person, for as long as the dataset lives.",
  epsilon: "ε of everything",
  delta: "δ of everything",
  deltaHelp: "Far below one in the number of people.",
  questionDefault: "ε of one question, usually",
  questionMax: "ε of one question, at most",
  odds: "What that means",
  oddsLead:
    "Suppose somebody guesses something about one person. However clever they are, all answers together can move that guess only this far:",
  columnsLead:
    "Write what is known without looking at the data, such as 0 to 120 for an age. Bounds taken from the data would tell about the person at the edge.",
  mayAsk: "May be asked about",
  least: "Least",
  greatest: "Greatest",
  boundsHelp: "Left empty, each sum pays a part of its budget to learn them.",
  daysHelp: "With both, years and months are public groups.",
  values: "Public values",
  valuesHelp: "With commas between them, if the list is public. These groups are always shown.",
  leads: "leads to the person",
  noType: "cannot be asked about",
  closed: "This table stays closed. Say whose rows it has to open it.",
  sound: "The policy can be used as it is.",
  wrong: (count: string) => (count === "1" ? "1 thing to mend" : `${count} things to mend`),
  atLine: (line: string) => `line ${line}`,
  text: "The policy",
  save: "Download dosimeter.yaml",
  after: "Then",
  afterHelp: "Put the file into the folder of the data, and run there:",
  afterCheck: "compares it with the whole data",
  afterExplain: "what a question would cost; free",
  afterServe: "opens these pages for the new dataset",
  tablesOpen: (count: string) =>
    count === "1" ? "1 table is open to questions." : `${count} tables are open to questions.`,
}
