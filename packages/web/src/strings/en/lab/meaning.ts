// The chapters of the Lab about what a loss means, and who decides about it. In English.

/** Bayes, delta, choose, governance. */
export const meaningEn = {
  bayes: {
    title: "What somebody may come to believe",
    idea: "Suppose somebody knows everybody's records but yours, and asks how many are ill. The answer is noisy, and could have come from both worlds: the one in which you are ill and the one in which you are not. Epsilon says how far one noisy answer can move their belief about you, whatever else they know.",
    with: "you are one of them",
    without: "you are not",
    answer: "answer",
    chance: "how often, %",
    worlds: (factor: string) =>
      `At every answer one curve is at most ${factor} times as high as the other. That factor is all that epsilon promises.`,
    people: "The odds, as people",
    prior: "Believed before",
    priorOf: (count: string) => `${count} of 100`,
    picture: (before: string, after: string) =>
      `${before} of a hundred people before, at most ${after} afterwards`,
    before: "believed before",
    after: "may be added by the answer, at most",
    words: (before: string, low: string, high: string) =>
      `A belief of ${before} stays between ${low} and ${high}, whatever is answered and whatever else is known.`,
    attacker: (count: string) =>
      `Who must say whether you are in the data, and would be right in 50 of 100 cases by tossing a coin, is right in at most ${count}.`,
    exercise: {
      ask: "Before an answer at epsilon 1 somebody believes with 10 % that you are ill. With how many per cent at most afterwards?",
      right: (answer: string) =>
        `${answer} %: odds of 1 to 9 become at most 2.72 to 9, and that is a probability again.`,
      hint: "Turn 10 % into odds, multiply by e^1, and turn the odds into a probability.",
    },
    proof:
      "Bayes: the odds after an answer are the odds before it times the ratio of its probabilities in the two worlds. The worlds are neighbours, so that ratio lies between e^-ε and e^ε. Nothing was assumed about what the attacker knows: it is in the odds before.",
  },
  delta: {
    title: "Delta, a chance of failure",
    idea: "An epsilon with a delta may fail altogether with probability delta. The worst that it allows is a mechanism that publishes each record whole with that probability, so delta has to be far below one over the number of people. Gaussian noise has a delta, too, but fails softly: beyond epsilon the loss is a little larger, not without limit.",
    people: "People in the data",
    delta: "Delta",
    chance: "some record is published",
    axis: "chance, %",
    text: (people: string, chance: string) =>
      `If each of ${people} records is published with probability delta, at least one is with a chance of up to ${chance}.`,
    draw: "Publish with probability delta",
    notDrawn: "Nothing was published so far.",
    drawn: (count: string) => `This time ${count} records were published whole.`,
    soft: (delta: string, soft: string) =>
      `Gaussian noise with delta ${delta} at epsilon 1 has delta ${soft} at epsilon 2: failing a little is likelier than failing much.`,
    exercise: {
      ask: "Delta is 1/1000 and there are 1,000 people. How likely is it, in per cent, that the worst mechanism publishes at least one record?",
      right: (answer: string) => `${answer} %: one record is expected, and none is published with about 1/e.`,
      hint: "None is published with (1 - delta) to the power of 1,000.",
    },
    proof:
      "Publish each record with probability δ, independently. Leaving out one person changes the law of the output only where that record is published: an event of probability δ. So the mechanism is (0, δ)-private, and the definition allows it. The chance that at least one of n is published is 1 - (1-δ)^n, about nδ while that is small.",
  },
  choose: {
    title: "An epidemiologist and an ethics board",
    idea: "The epidemiologist needs an error that is small enough to act on: that asks for at least some epsilon. The board wants beliefs about anybody to stay put: that allows at most some epsilon. What is left between them is a band, and where it is empty one of them has to move, or another question has to be asked.",
    epidemiologist: "The count may be off by (95 %)",
    board: "A belief of 10 % may rise to",
    needs: "the epidemiologist needs",
    allows: "the board allows",
    band: (from: string, to: string) =>
      `Any epsilon from ${from} to ${to} satisfies both; the least of them is enough.`,
    conflict: (from: string, to: string) =>
      `The epidemiologist needs ${from} or more, the board allows ${to} or less: no epsilon satisfies both.`,
    exercise: {
      ask: "A count may be off by 8 in 5 % of cases at most. Which epsilon is the least that is enough?",
      right: (answer: string) => `${answer}. More would only cost privacy.`,
      hint: "Set the first slider to ± 8 and read where its bar begins.",
    },
    proof:
      "The half width at 95 % falls as epsilon grows, so being within ± r holds from some epsilon on: the least is found and then verified in exact arithmetic. A belief p may rise to odds e^ε p/(1-p), which grows with epsilon, so the board's wish holds up to some epsilon: ln of the ratio of the odds. Two half-lines meet in a band or not at all.",
  },
  governance: {
    title: "Who gains, who decides, who is counted",
    idea: "The Belmont report names three principles for research with people, and none of them is about noise. Respect for persons asks that people can say no; beneficence, that the good is worth the risk; justice, that risks and gains are shared fairly. A budget is where they meet: the same epsilon serves a large community well and a small one badly.",
    part: "Part of the budget for the small community",
    large: (people: string) => `community of ${people}`,
    small: (people: string) => `community of ${people}`,
    axis: "error, % of the count",
    text: (large: string, small: string) =>
      `Each community's count of itself, epsilon 1 in all: off by ± ${large} % in the large one, by ± ${small} % in the small one.`,
    principles: [
      [
        "Autonomy",
        "Consent by purpose, withdrawn at any time; a page for everybody that says what was asked and at which dose.",
      ],
      [
        "Beneficence",
        "An error is stated before anything is paid: a question that could not be answered well enough should not be asked.",
      ],
      [
        "Justice",
        "Noise is equal for all, so it is not equal in effect: a small community needs more epsilon, or longer periods, to be seen.",
      ],
    ] as readonly (readonly [string, string])[],
    exercise: {
      ask: "Which is the smallest of these parts that brings the small community's error to 20 % or less?",
      right: (answer: string) =>
        `${answer}. The large community pays for it with an error that it hardly feels.`,
      hint: "Move the slider and read the second bar.",
      options: { "30": "30 %", "50": "50 %", "70": "70 %" },
    },
    proof:
      "The half width of a count depends on its epsilon only, so its share of a group of n goes with 1/(ε n). For equal relative errors of groups n and N the epsilons have to stand as N to n: the small group takes nearly all. Whether that is fair is no theorem; a committee decides it, with these numbers before it.",
  },
}
