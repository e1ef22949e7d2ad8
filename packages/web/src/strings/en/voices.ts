// What a community advisory board sees and says, in English.

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
