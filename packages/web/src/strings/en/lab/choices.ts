// The chapters of the Lab about choices, and about who adds the noise. In English.

/** Selection, response, local, federated. */
export const choicesEn = {
  selection: {
    title: "Choosing one of several",
    idea: "Some answers are no numbers: the design that most people voted for, the commonest diagnosis of a cohort. The exponential mechanism chooses each candidate with a probability that grows with its score. Close rivals may win; what is far behind hardly ever does, and only the choice is released.",
    contest: "What is chosen",
    designs: "a design, by votes",
    codes: "the commonest code",
    epsilon: "Epsilon",
    axis: "chosen, %",
    text: (best: string, draws: string, percent: string) =>
      `Of ${draws} choices, each of them a release of its own, ${best} won ${percent} %. In brackets: the scores.`,
    again: "Choose again",
    exercise: {
      ask: "Design A has 31 votes and D has 12, and every person has one vote. At epsilon 0.1, how many times as likely is A to be chosen as D?",
      right: (answer: string) => `${answer} times: e to the power of 0.1 times 19.`,
      hint: "Each vote more multiplies the chance by e^0.1.",
    },
    proof:
      "Candidate i is chosen with probability e^(ε q_i) / Σ e^(ε q_j). One more person raises some scores by 1 and lowers none: the numerator grows by a factor between 1 and e^ε, and so does the sum below it. So the ratio lies between e^-ε and e^ε. If scores could move both ways, half the rate would be needed.",
  },
  response: {
    title: "Your own answer, through a coin",
    idea: "A question can be so delicate that nobody should be trusted with the answer. In randomized response your own device tosses a coin and tells the truth only sometimes, so that no single answer proves anything. From many such answers the share of the crowd is worked out, since it is known how often people lie.",
    epsilon: "Epsilon",
    coin: (percent: string) => `Your device tells the truth with probability ${percent} %.`,
    own: "Your true answer",
    yes: "yes",
    no: "no",
    send: "Send it",
    nothing: "Nothing was sent so far.",
    sent: (last: string, yes: string, all: string) =>
      `What left your device: ${last}. So far ${yes} of ${all} times yes. (A real device would send once: each time adds to the loss.)`,
    truth: "true",
    reported: "reported",
    estimated: "worked out",
    axis: "share of yes, %",
    text: (people: string, reported: string, estimate: string) =>
      `${people} people, of whom 30 % would say yes: ${reported} % reported it, and ${estimate} % is worked out.`,
    exercise: {
      ask: "At epsilon 1.0986, the logarithm of 3: how often is the truth told, in per cent?",
      right: (answer: string) => `${answer} %: true and false stand as 3 to 1.`,
      hint: "The probabilities of truth and lie have the ratio e^epsilon, and add up to 1.",
    },
    proof:
      "Truth is told with p = e^ε/(1+e^ε). Whatever you send, it is p/(1-p) = e^ε times as likely under one true answer as under the other, so no belief about you moves by more. Of n people with a share s of yes, n(s p + (1-s)(1-p)) reports say yes on average; solving for s gives an estimate that is right on average.",
  },
  local: {
    title: "Whom do you trust?",
    idea: "In the central model a curator holds all answers and adds noise once. In the local model every device adds noise of its own, and nobody has to be trusted. At the same epsilon the central error stays the same however many there are, while the local one grows with the root of their number.",
    people: "People",
    epsilon: "Epsilon",
    central: "central",
    local: "local",
    error: "± people (95 %)",
    text: (people: string, central: string, local: string, percent: string) =>
      `A count among ${people} people of whom 30 % say yes: ± ${central} centrally, ± ${local} locally, which is ${percent} % of all.`,
    exercise: {
      ask: "With 100 times as many people, by which factor does the error of a local count grow?",
      right: (answer: string) =>
        `By ${answer}: the root of 100. As a share of all people it falls to a tenth.`,
      hint: "The noises of all devices add up like the steps of a random walk.",
    },
    proof:
      "Each report has a variance v that depends on ε, and the reports are independent: the sum has variance n v and standard deviation √(n v). One curator adds one noise of scale 1/ε to the exact sum. For epsilons up to about 1 no local protocol has an error of a smaller order than √n/ε.",
  },
  federated: {
    title: "Hospitals that keep their data",
    idea: "Hospitals that do not give data away can still answer together. If each adds all of the noise to its own count, the sum has the noise of all of them. If they add up under masks that cancel, nobody sees a single count, and each can add a share of one noise: the sum is nearly as good as from one place.",
    hospitals: "Hospitals",
    missing: "Hospitals whose noise is not counted on",
    own: "each adds all of the noise",
    shared: "each adds a share",
    deviation: "standard deviation of the sum",
    text: (hospitals: string, own: string, shared: string, one: string) =>
      `${hospitals} hospitals: ${own} if each adds all of it, ${shared} with shares; one trusted place would have ${one}.`,
    exercise: {
      ask: "16 hospitals each add noise of standard deviation 10 to their counts. What is the standard deviation of the sum?",
      right: (answer: string) =>
        `${answer}: variances add up, so it is √16 times 10. With shares it would be near 10.`,
      hint: "Variances add up, not standard deviations.",
    },
    proof:
      "Let the mechanism need variance V, and let at least h of n hospitals be honest and present. If each adds V/h, the honest ones alone bring V: the protection does not rest on the others. The sum has n V/h, so the standard deviation grows by √(n/h) only. Sums of discrete normals are not exactly one, and the difference is charged for.",
  },
}
