// What becomes of one's own data, in English.

/** Part of the English catalogue. */
export const consentEn = {
  title: "My data",
  lead: "What your data is used for, how large your dose is, and whether it may go on. You can change your mind at any time.",
  switches: "What may my data be used for?",
  switchHelp: {
    "next-question": "A change counts from the next question on. What was released before stays released.",
    midnight: "A change counts from the next midnight (UTC) on. What was released before stays released.",
  },
  rule: "What you say about one purpose holds for those inside of it, until you say something about them.",
  yes: "Yes, it is used",
  no: "No, it is left out",
  saidYes: "you said yes",
  saidNo: "you said no",
  saidYesTo: (name: string) => `because you said yes to “${name}”`,
  saidNoTo: (name: string) => `because you said no to “${name}”`,
  notSaidYes: "you have not said yes",
  notSaidNo: "you have not said no",
  stillIn: "Until midnight (UTC) it is still used.",
  stillOut: "Until midnight (UTC) it is still left out.",
  leaveAll: "Leave my data out of everything",
  modes: {
    required: "Only the data of people who said yes is used.",
    "opt-out": "The data of everybody is used but of people who said no.",
  },
  notAsked: "Nobody is asked for consent here",
  notAskedHelp:
    "The owner of this dataset uses the data of everybody in it, within the dose below, so there is nothing to switch on or off. If you want your data left out, talk to the owner.",
  saved: (name: string) => `Saved: ${name}`,
  studies: "What has used it",
  noStudies: "Nothing has been asked yet.",
  outside: "Outside of studies",
  study: "Study",
  with: "Answers with you",
  without: "Answers without you",
  dose: "Your dose so far",
  doseText: (epsilon: string, delta: string) =>
    `At most ε ${epsilon} (δ ${delta}). Every answer counts that could have used your data, in studies and outside of them.`,
  doseNone: "No answer so far could have used your data. Your dose is zero.",
  odds: "What that means",
  oddsLead:
    "Suppose somebody guesses something about you. However clever they are, all answers together can move that guess only this far:",
  from: (before: string) => `A guess of ${before}`,
  to: (low: string, high: string) => `stays between ${low} and ${high}`,
  history: "What you decided",
  historyEmpty: "You have not changed anything yet.",
  notLinked: "This account is not linked to a record.",
  notLinkedHelp: "Ask the owner of the data to link it.",
}
