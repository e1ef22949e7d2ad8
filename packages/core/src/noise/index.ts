// Noise by itself: @dosimeter/core/noise. Exact samplers, and the bits that they read.

export { sampleNoisyArgmax, sampleSoftmax, type Candidates } from "./argmax.ts"
export { sampleBinomial } from "./binomial.ts"
export { fillDiscreteLaplace, sampleDiscreteLaplace } from "./discrete-laplace.ts"
export { fillGeometric, sampleGeometric } from "./geometric.ts"
export type { NoiseArray, Spill } from "./noise-array.ts"
export { fillPoisson, fillSkellam, samplePoisson, sampleSkellam } from "./poisson.ts"
export { fillRoundedGaussian, sampleRoundedGaussian } from "./rounded-gaussian.ts"
export { bernoulli, bernoulliExp, fillBernoulliBits } from "../random/bernoulli.ts"
export type { RandomBits } from "../random/random-bits.ts"
export { systemBits } from "../random/system-bits.ts"
export { shuffled, shuffledIndices, uniformBelow, uniformBelowBig } from "../random/uniform.ts"
