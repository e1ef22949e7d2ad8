// The reviews, in English.

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
