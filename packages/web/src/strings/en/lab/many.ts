// The chapters of the Lab about many answers, and what they tell together. In English.

/** Composition, parallel, post, classes. */
export const manyEn = {
  composition: {
    title: "Questions add up",
    idea: "Every further question about the same people adds to what is lost, and that is why there is a budget. Adding epsilons is always right and seldom sharp: for many questions other ways of adding give less at a tiny delta. Asking the same question again costs nothing here, because the recorded answer is given.",
    questions: "Questions at this epsilon",
    axis: "questions",
    plain: "epsilons added",
    byRho: "added as rho, δ 1e-7",
    text: (count: string, total: string) =>
      `${count} questions cost ε ${total} together: the lower of the two lines, since both hold.`,
    belief: (before: string, after: string) =>
      `A belief of ${before} could rise to ${after} after all of them, if it is the straight line that holds.`,
    compare: "Compare all ways of adding",
    table: (count: string, epsilon: string) =>
      `${count} counts with Laplace noise at ε ${epsilon} each, in all at δ 1e-7`,
    accountant: "Way of adding",
    adaptive: "holds if questions depend on answers and stop at a budget",
    yes: "yes",
    no: "no, for a list that is fixed before",
    accountants: {
      basic: "epsilons added",
      advanced: "advanced composition",
      optimal: "the best for any mechanism of this epsilon",
      zcdp: "rho added (zCDP)",
      gdp: "mu squared added (GDP)",
      renyi: "Rényi curve",
      pld: "privacy-loss distribution",
    },
    exercise: {
      ask: "What do 100 counts at epsilon 0.1 cost together, added as rho at a delta of 1e-7?",
      right: (answer: string) => `${answer}, where adding epsilons says 10.`,
      hint: "Set epsilon to 0.1 and the questions to 100, and read the lower line.",
    },
    proof:
      "Log ratios of independent draws add up, so epsilons do. On average a log ratio is much smaller than its bound: a pure ε is at most ε²/2-zCDP, and rhos add up, also when questions depend on earlier answers. Then ε(δ) = ρ + 2√(ρ ln(1/δ)) grows with the root of the number of questions. The distribution of the whole sum is sharper still, but only for a list that is fixed beforehand.",
  },
  parallel: {
    title: "Groups that share nobody",
    idea: "A table of counts by age is many numbers, but every person is in one of them only. One person moves one number, so the whole table costs what one number costs. Where a person can be in several groups, such as diagnoses, it costs as many times that, and the plan has to prove how many.",
    groups: "Groups in the table",
    most: "Groups that one person is in, at most",
    one: "one group",
    table: "the whole table",
    added: "if added up",
    text: (groups: string, real: string, plain: string) =>
      `A table of ${groups} groups, each counted at epsilon 0.5: it costs ${real}; adding all groups up would say ${plain}.`,
    exercise: {
      ask: "A table counts patients by diagnosis at epsilon 0.5 for each count; a patient has three diagnoses at most. What does the table cost?",
      right: (answer: string) => `${answer}, however many diagnoses the table has.`,
      hint: "Count the numbers that one patient can move.",
    },
    proof:
      "Let the groups be disjoint sets of people. Adding one person changes one group, and the draws of the others have the same law with and without. So the ratio of the probabilities of the whole table is that of one group: e^ε. If a person is in up to k groups, k ratios multiply.",
  },
  post: {
    title: "What is done to an answer costs nothing",
    idea: "Noisy numbers may contradict what everybody knows: women and men do not add up to all, a count is negative, a running total falls. Whatever is worked out from a released answer, without looking at the data again, loses nothing more. So numbers are moved to the nearest ones that make sense, and become better by it.",
    draw: "Draw again",
    table: "Patients by sex",
    group: "group",
    groups: ["women", "men", "other", "all"],
    exact: "exact",
    noisy: "noisy",
    mended: "mended",
    day: "day",
    total: "cases so far",
    text: (deviation: string, before: string, after: string) =>
      `Running totals with noise of standard deviation ${deviation}. Off by ${before} as drawn, by ${after} once they never fall (root mean square).`,
    exercise: {
      ask: "Three numbers a, b and c are released, each with a standard deviation of 3. Then they are made to agree: a + b = c. What is the standard deviation of each afterwards?",
      right: (answer: string) =>
        `${answer}, for 3 √(2/3): one equation takes away a third of the variance, and costs nothing.`,
      hint: "Three numbers with one equation have two free directions left, out of three.",
    },
    proof:
      "If M is private and f any function (it may be random, but does not see the data), then P(f(M(D)) ∈ S) = P(M(D) ∈ f⁻¹(S)) ≤ e^ε P(M(D') ∈ f⁻¹(S)). The set of values that make sense is convex and holds the exact ones, so the nearest point of it is never farther from them than the noisy point was.",
  },
  classes: {
    title: "What k-anonymity does not protect",
    idea: "A table is k-anonymous if every person in it looks like at least k - 1 others. That says nothing about two tables: here each of two hospitals keeps its promise. It says nothing about classes in which all have the same diagnosis, either, nor about what somebody knows already.",
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
    text: "Each table keeps its promise, and together they give Ben away: k-anonymity promises nothing about two tables.",
    instead: (before: string, after: string) =>
      `Had both hospitals answered with noise at epsilon 0.5, a belief of ${before} about Ben could have risen to at most ${after}: losses add up, and what is known already does not matter.`,
    exercise: {
      ask: "Each hospital has 12 rows. At which k do the two tables share more than one diagnosis, so that Ben is no longer given away?",
      right: (answer: string) =>
        `${answer}: only when all rows look the same, and nothing is left of age and postcode.`,
      hint: "Try every k that the buttons offer. What does a table with 12 rows look like at k = 12?",
      options: { "3": "at 3", "6": "at 6", "12": "at 12", none: "at none" },
    },
    proof:
      "Let A and B be the diagnoses that each table leaves for Ben. Each has at least two if its class is mixed, but the truth lies in A ∩ B, and nothing in the definition of k-anonymity bounds the size of that from below. A release with loss ε changes any odds by e^ε at most, two releases by e^(2ε): that bound composes because it speaks of the mechanism and not of the table.",
  },
}
