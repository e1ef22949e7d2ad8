// The texts of the Lab, in English.

/** For somebody who has to judge an epsilon and never met one. */
export const labEn = {
  title: "Lab",
  lead: "What epsilon means, in seven steps and about five minutes. Nothing here touches data: your browser makes it all up, with the mechanisms that answer on the server.",
  epsilon: "Epsilon",
  tradeoff: "Less epsilon: more noise, better hidden. More epsilon: sharper answers, less hidden.",
  error: "error",
  oddsTimes: "odds change by",
  atMost: (factor: string) => `at most × ${factor}`,
  plusMinus: (half: string) => `± ${half} persons`,
  noise: {
    title: "1. See the noise",
    lead: "How many patients are in a ward, by age? The empty bars are the exact numbers, which only the Lab shows. The dots are what leaves the server. Ask several times, then move epsilon.",
    draw: "Ask again",
    drawMany: "Ask 20 times",
    group: "age",
    count: "patients",
    text: (hits: string, all: string, sure: string) =>
      `${hits} of ${all} intervals so far contain the exact number; ${sure} are promised. Look at the last bar: the noise is the same for every group, so it hides a small one and hardly touches a large one.`,
  },
  worlds: {
    title: "2. Why that protects a person",
    lead: "Suppose somebody knows the exact records of everybody else, and 999 of those have the illness. Do you have it, too? Then the exact number is 1,000. They see one noisy answer, and both worlds could have given it.",
    with: "you are one of them",
    without: "you are not",
    answer: "answer",
    chance: "how often, %",
    text: (factor: string) =>
      `At every answer one curve is at most ${factor} times as high as the other. That factor is all that epsilon promises, and it holds whatever the attacker knows.`,
  },
  people: {
    title: "3. The odds, as people",
    lead: "Somebody believes that you have an illness, because so many of a hundred people like you have it. How far can an answer move that belief?",
    prior: "Believed before",
    priorOf: (count: string) => `${count} of 100`,
    picture: (before: string, after: string) =>
      `${before} of a hundred people before, at most ${after} afterwards`,
    before: "believed before",
    after: "may be added by the answer, at most",
    words: (before: string, low: string, high: string) =>
      `A belief of ${before} stays between ${low} and ${high}, whatever is answered and whatever else is known.`,
    right: (count: string) =>
      `Who must say whether you are in the data, and would be right in 50 of 100 cases by tossing a coin, is right in at most ${count}.`,
  },
  addUp: {
    title: "4. Questions add up",
    lead: "Every further question about the same people adds to what is lost. That is why there is a budget.",
    questions: "Questions at this epsilon",
    axis: "questions",
    plain: "epsilons added",
    byRho: "added as rho, δ 1e-7",
    text: (count: string, total: string) =>
      `${count} questions cost ε ${total} together: the lower of the two lines, since both hold. The straight line is right for few questions; the curve, which adds rho, wins for many.`,
    belief: (before: string, after: string) =>
      `A belief of ${before} could rise to ${after} after all of them, if it is the straight line that holds.`,
    average: (count: string, one: string, many: string) =>
      `Asked ${count} times, the same question could be averaged: ± ${one} would become about ± ${many}. The server gives the recorded answer instead, so asking again tells nothing new and costs nothing.`,
  },
  sizes: {
    title: "5. Large groups are sharp, small ones are not",
    lead: "The noise does not grow with the group. So its share of the answer shrinks.",
    size: "People in the group",
    axis: "people in the group",
    percent: "error, % of the group",
    text: "Thick: your epsilon. Above and below it: a quarter of it, and four times it. Dashed: an error of 10 %.",
    row: (size: string) => `${size} people`,
    off: (percent: string) => `± ${percent} %`,
  },
  choose: {
    title: "6. Which epsilon for the accuracy that is needed?",
    lead: "The least that is enough is the right one. Say how large the smallest group that matters is, and how far off its number may be.",
    size: "People in the smallest group that matters",
    percent: "May be off by, %",
    bad: "Give a whole number of people, and a percentage above 0 and up to 100.",
    answer: (epsilon: string) => `ε ${epsilon} is enough, in 95 of 100 cases.`,
    means: (before: string, after: string) =>
      `With it a belief of ${before} can rise to at most ${after}. If that is too much, ask for larger groups or less accuracy.`,
    use: "Use it above",
  },
  classes: {
    title: "7. What k-anonymity does not protect",
    lead: (k: string, age: string, postcode: string) =>
      `Two hospitals publish rows about patients, made so coarse that at least ${k} rows share each age and postcode. Somebody knows that Ben is ${age}, lives in ${postcode}, and was treated in both. These are the rows that could be his:`,
    k: "Rows that look the same, at least (k)",
    hospital: (number: string) => `Hospital ${number}`,
    ages: "Age",
    postcode: "Postcode",
    diagnosis: "Diagnosis",
    diagnoses: {
      hepatitis: "hepatitis",
      asthma: "asthma",
      fracture: "fracture",
      migraine: "migraine",
      gout: "gout",
      angina: "angina",
      eczema: "eczema",
    },
    both: (diagnosis: string) => `Only one diagnosis is in both: ${diagnosis}.`,
    text: "Each table keeps its promise, and together they give Ben away. A larger k makes tables coarser and does not help: k-anonymity promises nothing about two tables, nor about what the attacker knows already.",
    instead: (before: string, after: string) =>
      `Had both hospitals answered with noise at your epsilon, a belief of ${before} about Ben could have risen to at most ${after}: losses add up, and what is known already does not matter.`,
  },
}

/** The same texts in any language. */
export type LabStrings = typeof labEn
