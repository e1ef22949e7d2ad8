// The reviews of the committee, and the views of the community, in English.

/** Part of the English catalogue. */
export const reviewsEn = {
  title: "Reviews",
  lead: "Studies that wait for the committee. Two must agree; one refusal refuses. Nobody judges their own study.",
  empty: "No study waits for a review",
  emptyHelp: "When a study is submitted, it appears here.",
  approve: "Approve",
  refuse: "Refuse",
  reviewedByYou: "You have reviewed this one. A second person is needed.",
  done: (name: string) => `Your review of ${name} is recorded`,
  check: "Before you decide",
  checks: [
    "Does the purpose match what people agreed to?",
    "Is the share of the budget in proportion to what is asked?",
    "Are the people and the dates right?",
  ],
  airlock: "Answers that wait for approval",
  airlockHelp: "You see the answer as it would leave, with its noise.",
  askedBy: (who: string, study: string) => `asked by ${who} in ${study}`,
  look: "Look at the answer",
}

/** Part of the English catalogue. */
export const voicesEn = {
  title: "Proposals",
  lead: "Studies that want to use the data, in plain words. What you say is advice: it is read by the committee, stands on the study's record, and is on the public page without your name.",
  empty: "No study waits or is open",
  emptyHelp: "Proposals appear here when they are handed to the committee.",
  purposes: "What it is for",
  days: "How long",
  people: "How many may ask",
  leaves: "Answers",
  eachApproved: "each is approved before it leaves",
  atOnce: "leave at once, with noise that hides each person",
  dose: "What it could tell about you",
  doseText: (from: string, to: string) =>
    `Somebody who believes something about you with ${from} could come to believe it with ${to} at most, whatever else they know.`,
  failure: (chance: string) => `This holds but for a chance of ${chance}.`,
  yours: "Your view",
  others: "What others of the board say",
  views: { support: "In favour", concern: "With concerns", oppose: "Against" },
  comment: "In your own words",
  commentHelp: "Everybody can read them, without your name.",
  say: "Say it",
  change: "Change it",
  said: "Your view is on the record.",
  board: "The community's board",
  boardHelp: "Advisory: it neither approves nor refuses.",
  none: "The community's board has said nothing so far.",
  saying: (name: string, view: string) => `${name}: ${view}`,
}
