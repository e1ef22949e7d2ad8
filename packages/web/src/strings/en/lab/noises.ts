// The chapters of the Lab about noise: how much, for whose protection, of which kind. In English.

/** Noise, clamping, users, bell. */
export const noisesEn = {
  noise: {
    title: "Noise and scale",
    idea: "An answer leaves the server with noise added, and the noise is drawn anew for every question. Its size depends on epsilon alone: half the epsilon, about twice the noise. It does not grow with the group, so it hides a small group and hardly touches a large one.",
    draw: "Ask again",
    drawMany: "Ask 20 times",
    group: "age",
    count: "patients",
    text: (hits: string, all: string, sure: string) =>
      `${hits} of ${all} intervals so far contain the exact number; ${sure} are promised. Empty bars are the exact numbers, which only the Lab shows; dots are what leaves the server.`,
    sizes: "What that is of a group",
    sizeAxis: "people in the group",
    percent: "error, % of the group",
    sizesText:
      "Thick: your epsilon. Above and below it: a quarter of it, and four times it. Dashed: an error of 10 %.",
    row: (size: string) => `${size} people`,
    off: (percent: string) => `± ${percent} %`,
    exercise: {
      ask: "At epsilon 0.4 a count is within about ± 7 in 95 of 100 cases. How far off is it at epsilon 0.04?",
      right: (answer: string) => `± ${answer}: a tenth of the epsilon, about ten times the noise.`,
      hint: "The width goes with 1 / epsilon, and epsilon is a tenth.",
    },
    proof:
      "Discrete Laplace noise of scale s takes the value k with probability proportional to e^(-|k|/s). One person more or less moves a count by 1, so the two probabilities of any answer have a ratio of at most e^(1/s). With s = 1/ε that is e^ε, which is the definition. The chance of noise beyond r is 2 q^(r+1) / (1 + q) with q = e^(-ε), so the r that is exceeded in 5 % of cases goes with 1/ε.",
  },
  clamping: {
    title: "Sensitivity and clamping",
    idea: "The noise must hide the person who changes the answer most. In a firm of 50 that is the chief executive, who earns 2,000 thousand where others earn 28 to 70. Clamping every salary to an upper bound makes the noise small, and leaves out what is above: the best bound is far below the largest salary.",
    upper: "Upper bound",
    thousand: (value: string) => `${value} thousand`,
    noise: "noise (95 %)",
    leftOut: "left out",
    both: "together",
    error: "error of the average, thousand",
    text: (noise: string, leftOut: string, both: string) =>
      `The average salary of 50 people at epsilon 1: ± ${noise} from noise, ${leftOut} left out by the bound, ${both} together.`,
    exercise: {
      ask: "Blood pressures are clamped to [80, 200] and added up. By how much can the sum change at most when one person joins?",
      right: (answer: string) =>
        `${answer}: somebody who joins brings the whole value. If one value were replaced by another, it would be 120.`,
      hint: "A person who joins adds a whole blood pressure, not the difference of two.",
    },
    proof:
      "Let each person's value lie in [a, b]. Adding or removing one changes the sum by that value, so by at most max(|a|, |b|). Noise is scaled to this number, whatever the data are: a bound read off the data would itself tell about the largest value. What is left out is the mean of max(0, x - b); noise goes with b. The sum of a falling and a rising function has its least value in between.",
  },
  users: {
    title: "Hiding a visit, or a patient",
    idea: "Noise that hides one visit does not hide a patient with thirty. If a patient adds up to m visits, the count of visits can change by m, and the noise has to be m times as wide. The privacy unit says whose protection is meant, so it is the first thing to ask about any epsilon.",
    most: "Visits of a patient, at most",
    visit: "a visit is hidden",
    person: "a patient is hidden",
    error: "± visits (95 %)",
    text: (most: string, visit: string, person: string) =>
      `Epsilon 0.5, up to ${most} visits: ± ${visit} hides a visit, ± ${person} hides the patient.`,
    odds: (most: string, factor: string) =>
      `If only visits are hidden, odds about a patient with ${most} visits may still change by a factor of ${factor}.`,
    exercise: {
      ask: "Each visit is hidden at epsilon 0.1. Which epsilon does a patient with 30 visits have?",
      right: (answer: string) => `${answer}: the losses of the thirty visits add up.`,
      hint: "Thirty neighbours in a row, each with a factor of e^0.1.",
    },
    proof:
      "Take datasets D0, D1, ..., Dm, each with one visit less than the one before. The probabilities of an answer under neighbours have a ratio of at most e^ε, so under D0 and Dm one of at most e^(mε). Noise for a change by m at loss ε has scale m/ε.",
  },
  bell: {
    title: "Gaussian or Laplace; from Rényi to epsilon",
    idea: "Laplace noise grows with all that one person adds to all groups, Gaussian noise with the length of it as a vector: with k groups, k against √k. In return Gaussian noise needs a small delta. Its loss is a curve over orders, and every order gives an epsilon that holds, so the best one may be taken.",
    groups: "Groups that one person is in",
    deviation: "standard deviation",
    text: (groups: string, laplace: string, gaussian: string) =>
      `A table of which one person is in ${groups} groups, at epsilon 1: standard deviation ${laplace} with Laplace noise, ${gaussian} with Gaussian noise at a delta of 1e-6.`,
    renyi: "A hundred counts at epsilon 0.1",
    order: "Order",
    orderText: (order: string, epsilon: string, best: string) =>
      `Order ${order} gives epsilon ${epsilon} at a delta of 1e-6; the best order gives ${best}.`,
    exercise: {
      ask: "At epsilon 1 and delta 1e-6: from how many groups of a person on is Gaussian noise smaller than Laplace noise?",
      right: (answer: string) => `From ${answer} groups on.`,
      hint: "Move the first slider to where the lines cross, then look between its marks.",
    },
    proof:
      "Laplace: the log ratio of two answers is at most L1/s, so s = L1/ε. Gauss: the Rényi divergence of order a between two normals at distance L2 is a L2²/(2σ²), a line with slope ρ. If the divergence of order a is at most D, then the chance that the log ratio exceeds ε is at most e^((a-1)(D-ε)), by Markov's inequality. So ε = D + ln(1/δ)/(a-1) holds for each order; the code uses a sharper form of the same step.",
  },
}
