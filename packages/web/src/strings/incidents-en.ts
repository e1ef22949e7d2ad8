// The texts of the alarm, in English.

/** Part of the English catalogue. */
export const incidentsEn = {
  title: "Questions failed after they were charged",
  lead: "This should never happen: that a question fails may tell about the data, and no noise hides it. Find out why, then acknowledge it.",
  one: (position: string) => `entry ${position}`,
  closesDoor: (name: string) => `Until then nothing new is answered to ${name}.`,
  closesApprovals: (study: string) =>
    `Whoever asked was told that the answer waits; until then nothing of ${study} can be approved.`,
  causes: {
    database: "Database failed",
    time: "Took too long",
    extract: "Impossible result",
    bug: "Bug",
    lost: "Processes ended",
    cancelled: "Stopped",
    unknown: "Cause unknown",
  },
  acknowledge: "Acknowledge",
  sure: "You say that you have found out why it failed, and that it did not tell about the data. What it has closed is open again at once.",
  reason: "Reason",
  reasonHelp: "It is written into the ledger and the audit trail.",
  failed: "It failed: there is nothing to approve. Whoever asked is not told; refuse it without saying so.",
}
