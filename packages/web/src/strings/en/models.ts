// Models, in English.

/** Part of the English catalogue. */
export const modelsEn = {
  title: "Models",
  lead: "A model of rows that nobody sees. It is fitted to noisy sums only, paid for once, and predicts for nothing.",
  what: "What model",
  model: "Model",
  kinds: {
    logistic: "Logistic: yes or no",
    linear: "Linear: a number with a range",
    poisson: "Poisson: a count",
    multinomial: "Multinomial: one of several listed values",
    boosting: "Curves (boosting): yes or no, or a number",
    bayes: "Naive Bayes: one of several listed values, from counts",
    components: "Components: the directions in which rows differ most",
    "k-means": "Groups (k-means): rows that are alike",
  },
  sql: "A SELECT of its rows",
  sqlHelp: (unit: string) =>
    `One row for each ${unit}: the features, and the target if there is one. Every column needs listed values or a range; CLAMP(x, low, high) gives it one.`,
  target: "Target",
  targetHelp: "The column of the SELECT that is to be told by the others.",
  count: "How many",
  countHelp: "Components (2 if left empty), or groups (3).",
  epsilon: "Epsilon for all of it",
  showPrice: "Show the price",
  price: "The price",
  costs: (cost: string) => `This costs ${cost}, once.`,
  free: "This was trained before: it costs nothing.",
  noise: "Noise beforehand",
  noiseHelp: {
    coefficient: (of: string, features: string) =>
      `What may move a coefficient, in ${of}, for a feature that goes from its lowest to its highest value (standard deviations), and how much of it is reached. ${features} features share the loss.`,
    curve: (of: string, features: string) =>
      `What may move each part of a curve, in ${of}, for parts with equal numbers of rows (standard deviations), and how much of it is reached. ${features} features share the loss.`,
    component: (of: string, features: string) =>
      `What may move the variance along a component, in ${of}, for features that spread over half of their range (standard deviations), and how much of its direction is kept if it has twice the variance of others. ${features} features share the loss.`,
    centre: (of: string, features: string) =>
      `What may move each number of a centre, in ${of}, for groups of equal size that spread over a quarter of each range (standard deviations), and how likely a group is found. ${features} features share the loss.`,
  },
  measures: {
    "log-odds": "log-odds",
    "log of the count": "the log of the count",
    "share of the target's range": "shares of the target's range",
    "share of a variance": "shares of that variance",
    "share of a feature's range": "shares of the feature's range",
  },
  rowCount: "Rows",
  byNoise: "Noise",
  byChance: "Chance",
  reachedOf: {
    coefficient: "Reached",
    curve: "Reached",
    component: "Direction kept",
    centre: "Group found",
  },
  shareNoise: "Share held",
  aucNoise: "Area under the curve",
  notTold: "not told",
  tooNoisy:
    "Even with 100,000 rows noise outweighs chance, and coefficients are shrunk. Fewer features or a larger epsilon help.",
  hidden:
    "Even with 100,000 rows noise outweighs chance. Fewer columns, fewer groups or a larger epsilon help.",
  train: "Pay and train",
  show: "Show the model",
  steps: {
    planned: "Entering the charge",
    charged: "Paid. Reading the rows",
    reading: "Paid. Training: this may take a minute. How far it is would tell how many rows there are.",
    released: "Trained",
  },
  card: "The model",
  paid: (cost: string) => `Paid: ${cost}.`,
  columns: "From",
  rows: "Fitted to",
  about: (rows: string) => `about ${rows} rows (a noisy number)`,
  dose: "Dose",
  doseOf: (epsilon: string, delta: string, unit: string) => `ε ${epsilon}, δ ${delta} for each ${unit}`,
  loss: "In the ledger",
  quality: "How good it is",
  qualityHelp: "From noisy sums over the rows that it was fitted to. New rows are told a little worse.",
  auc: (area: string, error: string) =>
    `Area under the curve ${area} ± ${error} (standard deviation, by noise alone).`,
  aucUnknown: "The noise hides how good it is: there are too few rows for this epsilon.",
  aucNothing: "That is no better than a coin, as far as the noise lets us see.",
  falseAlarms: "false alarms",
  found: "found",
  rocLabel: (area: string) =>
    `Of those to be found, how many are found for so many false alarms. The dashed line is a coin; the area under the curve is ${area}.`,
  explained: (rSquared: string, meanSquare: string) =>
    `It explains R² = ${rSquared}; the mean square of what is left is ${meanSquare}.`,
  classes: (right: string, commonest: string) =>
    `It tells ${right} of rows right. Always saying the commonest class would tell ${commonest}.`,
  holds: (share: string, error: string) =>
    `It holds ${share} of the variance, ± ${error} (standard deviation, by noise alone).`,
  shareUnknown: "The noise hides how good it is: there are too few rows for this epsilon.",
  componentsHelp: (sure: string) =>
    `What goes into each direction: numbers count from -1 to 1 over their range, listed values 0 or 1. Each interval holds with ${sure} by itself and covers chance and noise, but not that rows far from the middle of all ranges count for less.`,
  groupsHelp: (sure: string) =>
    `The largest group first; groups that noise hides are left out. Centres are in the units of the columns, listed values as shares of people. Each interval holds with ${sure} by itself and covers chance and noise, if the groups are what they are and their numbers spread alike.`,
  component: (number: string) => `Component ${number}`,
  group: (number: string) => `Group ${number}`,
  loading: "what goes into it",
  loadingLabel: (name: string) =>
    `What goes into ${name}, with its interval. The numbers are in the table below.`,
  shareOfVariance: "share of the variance",
  people: "people",
  coefficients: "Coefficients",
  coefficientsHelp: (sure: string) =>
    `Each interval holds with ${sure} by itself and covers chance and noise; the last column is the part of noise in its error.`,
  effect: "from the lowest to the highest value",
  effectLabel:
    "What each feature does from its lowest to its highest value, with its interval. The numbers in the units of the data are in the table below.",
  curves: "Curves",
  curvesHelp: (sure: string) =>
    `What each part of a feature adds to the score. Each interval holds with ${sure} by itself and covers chance and noise, part by part.`,
  curveLabel: (feature: string) =>
    `What ${feature} adds to the score, with its interval. The numbers are in the table below.`,
  part: "Part",
  asNumbers: "As numbers",
  missing: "missing",
  numbers: "Coefficients in the units of the data",
  intercept: "intercept",
  coefficient: "Coefficient",
  value: "Value",
  interval: "Interval",
  noiseShare: "Noise",
  shrunk: "* Shrunk towards zero on account of the noise.",
  range: (low: string, high: string) => `${low} to ${high}`,
  json: "Save as JSON",
  onnx: "Save as ONNX",
  jsonHelp: "JSON is for dosimeter predict.",
  filesHelp: "JSON is for dosimeter predict, ONNX for other programs.",
  saved: (file: string) => `Saved as ${file}.`,
  list: "Models so far",
  none: "No model has been trained yet",
  noneHelp: "Models appear here. Looking again is free.",
  noStudy: "You are in no active study, and models are trained for one",
  one: (position: string) => `Model ${position}`,
  oneLead: "Looking again is free.",
  all: "All models",
}
