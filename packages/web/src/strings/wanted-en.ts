// The texts of what can be wanted of a question, in English.

/** Part of the English catalogue. */
export const wantedEn = {
  within: "Error to reach",
  wrong: {
    epsilon: "Epsilon is a number, such as 0.5.",
    within: "The error to reach is a number, such as 50, or a share, such as 5%.",
    groupsPerUnit: "Groups are a whole number from 1 on, or auto.",
    rowsPerGroup: "Rows per group are a whole number from 1 on.",
    weights: "Weights are columns and numbers, such as persons=2, visits=0.5.",
  },
  withinHelp: "In place of epsilon: 50 in units of the answer, or 5%. The least that gives it is spent.",
  groupsHelp: (usual: string, most: string) => `${usual} if empty, ${most} at most; auto learns it first`,
  weights: "Weights of columns",
  weightsHelp: "How much the error of a column counts: persons=2, visits=0.5; 1 if empty",
  bounds: "Bounds of values",
  boundsWords: {
    usual: "As the policy says",
    auto: "Learn those that are not declared",
    all: "Learn all of them",
    declared: "Learn none",
  },
  reuse: "Earlier releases",
  reuseWords: {
    auto: "Answer where they are as good",
    always: "Answer whenever they can",
    never: "Do not answer: pay",
  },
  bias: "Estimate what bounds leave out, for a fifth of the loss",
  nonNegative: "Counts of ROLLUP and its kin as whole numbers from 0",
  noQuantileIntervals: "Quantiles without intervals, all of the loss for their values",
  looks: (epsilon: string, more: string, most: string) =>
    `A look for epsilon ${epsilon} tells how large the answer is (others for ${more} follow if it tells too little); then the least that gives the error, at most epsilon ${most}.`,
  reached: (inside: string, all: string) => `The error is as wanted in ${inside} of ${all} groups.`,
}
