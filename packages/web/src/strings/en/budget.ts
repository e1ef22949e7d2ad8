// The budget, with what went wrong with its ledger, in English.

/** Part of the English catalogue. */
export const budgetEn = {
  title: "Budget",
  lead: "Everything that is ever answered adds up here. When it is spent, nothing more can be asked.",
  dataset: "The whole dataset",
  studies: "Studies",
  analysts: "Analysts",
  share: "Share",
  spent: "Spent",
  left: "Left",
  fits: "Still fits",
  burnDown: "How it was spent",
  burnDownText: (count: string) => (count === "1" ? "1 charge" : `${count} charges, from the first on`),
  limit: "The owner's limit",
  promise: (epsilon: string, delta: string) =>
    `The owner promised ε ${epsilon} at δ ${delta} for everything.`,
  odds: "What that means",
  none: "Nothing has been spent yet.",
  noneHelp: "The first question draws the first step here.",
  accounting: { pure: "epsilons", zcdp: "rho (zCDP)", gdp: "mu squared (Gaussian)" },
  raise: "Ask for more",
  raiseAmount: "New share (ε)",
  raiseWhy: "Why",
  raiseDone: "Asked for. A second person has to agree.",
  raiseDoneByOthers: "Asked for. Two people have to agree.",
  requests: "Requests for more",
  noRequests: "Nobody has asked for more.",
  accountNames: {
    study: (name: string) => `study ${name}`,
    analyst: (name: string) => `analyst ${name}`,
  },
  agree: "Agree",
  disagree: "Refuse",
  requestBy: (who: string, to: string) => `${who} asks for ε ${to}`,
  requestStates: { open: "Waits", granted: "Granted", refused: "Refused" },
  agreed: (who: string) => `${who} agrees`,
  disagreed: (who: string) => `${who} refuses`,
  twoNeeded: "Two people must agree, and nobody for themselves.",
}

/** Part of the English catalogue. */
export const ledgerEn = {
  title: "Nothing can be charged",
  acknowledge: "Entries of the ledger, or the anchor that remembers them, are lost.",
  rebind: "The policy says something else about losses than the ledger does.",
  other: "The operator has to look at the ledger.",
  twoNeeded: "Two people decide how to go on: owner and committee, one at least of the committee.",
  share: "What counts as spent (share of the budget)",
  shareHelp: "Such as 40%. Left empty, all of the budget counts as spent.",
  ask: "Ask for a decision",
  asked: "Asked for. A second person has to agree.",
  wanted: (who: string, share: string) => `${who}: ${share} of the budget counts as spent`,
  all: "all",
  entered: "Entered into the ledger.",
  inside:
    "The anchor lies beside the ledger. An old backup of the whole state would not be noticed: name another place in the policy (anchor).",
}

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
