// Noise in shares, for federations: @dosimeter/core/distributed. Every site adds its own; only sums leave.

export type { BellSpec, SharedSpec } from "./measured-numbers.ts"
export { readShares, releaseShare } from "./release-share.ts"
export { lossOfShares, shareOf, type BellShare, type LaplaceShare, type ShareSpec } from "./share.ts"
export { marginOfSum, noiseOfSum, reachOfSum, type SumNoise } from "./sum-law.ts"
