// The epsilon adviser, in English.

/** Part of the English catalogue. */
export const adviseEn = {
  title: "Adviser",
  lead: "From a question and what is tolerable to an epsilon, a delta and a split. It is worked out in your browser; no data is read and nothing is charged.",
  question: "The question",
  population: "People who could be in the data",
  count: "People whom a release counts, about",
  groups: "Numbers in a release",
  groupsHelp: "20 for a table with 20 age bands.",
  groupsPerPerson: "In how many of them one person can be",
  releases: "How often it is released",
  releasesHelp: "52 for weekly in a year.",
  delta: "Delta that Gaussian noise may have",
  unit: "What is hidden",
  units: { person: "a person in all releases", "person-release": "a person in each release" },
  error: "Which error is tolerable",
  risk: "Which risk is tolerable",
  empty: "What is left empty is not asked for.",
  deviation: "Standard deviation at most",
  within: "Off by at most",
  confidence: "in this share of cases, %",
  odds: "Odds change by a factor of at most",
  belief: "A belief of 10 % may rise to, %",
  advantage: "An attacker's advantage at most, %",
  prices: "Prices, if you have them",
  errorPrice: "An error of 1 in one number costs",
  privacyPrice: "An epsilon of 1 costs",
  advise: "Advise",
  bad: "Something makes no sense",
  range: "Every wish is met",
  conflict: "No epsilon meets every wish",
  epsilon: "Epsilon",
  noise: "Noise",
  noises: { laplace: "Laplace", gaussian: "Gaussian" },
  split: "Split",
  splits: {
    laplace: (amount: string) => `epsilon ${amount} for each release`,
    gaussian: (amount: string) => `rho ${amount} for each release`,
  },
  accuracy: "Error of a number",
  errorOf: (half: string, deviation: string, percent: string) =>
    `± ${half} at 95 % (standard deviation ${deviation}), ${percent} % of an average number`,
  overAll: "Somebody in all releases",
  overAllText: (epsilon: string) => `epsilon ${epsilon} in all`,
  otherNoise: "The other noise",
  otherText: (noise: string, epsilon: string, deviation: string) =>
    `${noise}: epsilon ${epsilon}, standard deviation ${deviation}`,
  optimum: "Cheapest at your prices",
  optimumText: (epsilon: string, error: string, privacy: string) =>
    `epsilon ${epsilon} with Laplace noise: error ${error} and privacy ${privacy}`,
  band: "The band that is left",
  needs: (what: string, epsilon: string) => `${what}: ${epsilon} or more`,
  allows: (what: string, epsilon: string) => `${what}: ${epsilon} or less`,
  bandText: (from: string, to: string) =>
    `Any epsilon from ${from} to ${to} meets every wish; the least is enough.`,
  openText: (at: string) => `Epsilon ${at} is enough; nobody asked for an end on the other side.`,
  gapText: (from: string, to: string) =>
    `Somebody needs ${from} or more, somebody else allows ${to} or less.`,
  reconcile: "To resolve this",
  accept: (deviation: string) => `Accept a standard deviation of ${deviation}.`,
  fewer: (releases: string) => `Or publish it ${releases} times at most.`,
  hideLess:
    "Or hide a person in each release by itself: a weaker promise, and its sum over all releases is told.",
  allow: (epsilon: string) => `Or allow epsilon ${epsilon}.`,
  board: "For the ethics board",
  boardText: (facts: {
    readonly numbers: string
    readonly times: string
    readonly count: string
    readonly population: string
    readonly noise: string
    readonly epsilon: string
    readonly delta: string
    readonly hidden: string
    readonly half: string
    readonly from: string
    readonly to: string
    readonly right: string
  }) =>
    `It is asked to publish ${facts.numbers} numbers ${facts.times} times, about ${facts.count} of ${facts.population} people each time. ` +
    `${facts.noise} noise at epsilon ${facts.epsilon} (delta ${facts.delta}) hides ${facts.hidden}. ` +
    `Each number is within ${facts.half} of the exact one in 95 % of cases. A belief about one person that was held at ${facts.from} rises to ${facts.to} at most, ` +
    `but for a chance of delta. An attacker who must say whether somebody is in the data is right in at most ${facts.right} of cases, where a coin is right in half of them.`,
  published: "What others have published",
  publishedHelp: "Compare what is hidden before the number: a loss for a day says little about a life.",
  name: "Deployment",
  hidden: "Hidden",
  model: "Model",
  models: { central: "central", local: "local" },
  source: "Source",
}
