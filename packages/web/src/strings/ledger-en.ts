// A ledger that is refused, and the people who get over it.

/** The texts. */
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
