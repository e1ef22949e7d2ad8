// The audit trail, in English.

/** Part of the English catalogue. */
export const auditEn = {
  title: "Audit",
  lead: "Who did what, and when. Each entry is sealed by the one after it.",
  who: "Who",
  what: "What",
  anything: "anything",
  about: "About",
  from: "From",
  to: "Before",
  search: "Search",
  when: "When",
  facts: "Details",
  count: (count: string) => (count === "1" ? "1 entry" : `${count} entries`),
  newest: (count: string) => `The newest ${count} entries; older ones follow`,
  older: "Show older entries",
  verify: "Check the chain",
  sound: "Every entry still has the hash of all before it.",
  broken: (position: string) => `The chain is broken at entry ${position}.`,
  export: "Export",
  empty: "No entries were found",
  emptyHelp: "Search for less.",
}
