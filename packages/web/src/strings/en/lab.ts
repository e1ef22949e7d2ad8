// The texts of the Lab, in English: its frame; the chapters are in the folder beside this file, four in each.

import { choicesEn } from "./lab/choices.ts"
import { manyEn } from "./lab/many.ts"
import { meaningEn } from "./lab/meaning.ts"
import { noisesEn } from "./lab/noises.ts"

/** For somebody who has to judge an epsilon and never met one. */
export const labEn = {
  title: "Lab",
  lead: "What epsilon means, in sixteen short chapters. Each has an idea, something to move, an exercise and a proof. Nothing here touches data: your browser makes it all up, with the mechanisms that answer on the server.",
  epsilon: "Epsilon",
  tradeoff: "Less epsilon: more noise, better hidden. More epsilon: sharper answers, less hidden.",
  error: "error",
  oddsTimes: "odds change by",
  atMost: (factor: string) => `at most × ${factor}`,
  plusMinus: (half: string) => `± ${half} persons`,
  contents: "Chapters",
  progress: (solved: string, all: string) =>
    `${solved} of ${all} exercises solved, remembered in this browser.`,
  solved: "solved",
  chapter: (number: string, title: string) => `${number}. ${title}`,
  move: "Move it",
  exercise: "Exercise",
  answer: "Your answer",
  check: "Check",
  right: "Right.",
  notYet: "Not yet.",
  cannotRead: "Give one number, or choose one of the answers.",
  proof: "The proof, for who wants it",
  back: "All chapters",
  next: "Next",
  previous: "Previous",
  teacher: "For teachers: all exercises with their answers",
  teacherTitle: "For teachers",
  teacherLead:
    "Every exercise with its answer, worked out in your browser by the code that checks it. Print it, or change the numbers in class.",
  theAnswer: "Answer",
  ifWrong: "Hint",
  accepted: (percent: string) => `accepted within ${percent} %`,
  chapters: { ...noisesEn, ...meaningEn, ...manyEn, ...choicesEn },
}
