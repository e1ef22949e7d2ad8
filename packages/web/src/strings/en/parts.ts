// What the parts of several screens say: troubles, the meter, noisy numbers, in English.

/** Part of the English catalogue. */
export const troubleEn = {
  refused: "This was refused",
  invalid: "This does not work as it stands",
  unsupported: "This cannot be proven private",
  unavailable: "This is not available just now",
  bug: "Something went wrong here",
  offline: "The server cannot be reached. Nothing was lost; try again in a moment.",
  signedOut: "Your session has ended. Sign in again; nothing was lost.",
  whatToDo: "What to do",
  free: "Nothing was charged.",
}

/** Part of the English catalogue. */
export const meterEn = {
  dose: "Dose",
  spent: "spent",
  now: "this question",
  left: "left",
  ofEpsilon: (spent: string, all: string) => `ε ${spent} of ${all}`,
  doesNotFit: "does not fit any more",
  used: (share: string) => `${share} used`,
  ofDataset: "Of the whole dataset",
  ofStudy: (name: string) => `Of the study ${name}`,
  ofAnalyst: "Of your own share",
  addsUp: (name: string) =>
    `The bar counts ${name}, which adds up from question to question. ε is what the sum amounts to, and does not add up.`,
  twoRunOut: (loss: string, delta: string) =>
    `Two things run out: ${loss}, ${delta}. The bar shows the one that runs out first.`,
  text: (spent: string, now: string, left: string) =>
    `${spent} spent, ${now} for this question, ${left} left`,
  textShort: (spent: string, left: string) => `${spent} spent, ${left} left`,
  fits: (count: string) => (count === "1" ? "1 more like it fits" : `${count} more like it fit`),
  fitsNone: "No more like it fits afterwards",
  defaultFits: (count: string) =>
    count === "1"
      ? "1 question of the default price still fits"
      : `${count} questions of the default price still fit`,
  defaultFitsNone: "No question of the default price fits any more",
}

/** Part of the English catalogue. */
export const numberEn = {
  below: "below threshold",
  belowHelp: "A number that is too small to be shown. It is not zero and it is not missing.",
  nothing: "no value",
  ends: (low: string, high: string) => `between ${low} and ${high}`,
  noiseAlone: (low: string, high: string) => `for the noise alone between ${low} and ${high}`,
  between: (low: string, high: string, sure: string) => `between ${low} and ${high}, ${sure} sure`,
  noisePart: (noise: string) => `noise ${noise}`,
  bothParts: (noise: string, leftOut: string) => `noise ${noise}, left out up to ${leftOut}`,
  showParts: "Show the parts of intervals",
  bounding: {
    proven: {
      word: "proven",
      help: "Intervals cover the noise and all that may be left out: a cap proves it.",
    },
    estimate: {
      word: "estimate",
      help: "Intervals cover the noise and an estimate of what is left out, which may be more.",
    },
    "too-much": { word: "no upper end", help: "Too much is left out to say how much." },
    "noise-only": { word: "noise only", help: "What is left out is not in the intervals." },
  },
  legendNoise: "noise alone",
  legendWhole: {
    proven: "with all that may be left out (proven)",
    estimate: "with what is left out (estimate)",
    "too-much": "no upper end: too much is left out to say",
  },
  open: "without a bound",
  unknown: "± unknown",
}
