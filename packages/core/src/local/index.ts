// The device's side of the local model: @dosimeter/core/local. What a web page needs to randomize an answer
// before it is sent, and nothing else.

export { DosimeterError, renderError } from "../errors/dosimeter-error.ts"
export type { Numeric } from "../exact/decimal.ts"
export type { RandomBits } from "../random/random-bits.ts"
export { systemBits } from "../random/system-bits.ts"
export { certificateOf, checkPromise, epsilonOf, parametersOf, type Certificate } from "./certificate.ts"
export { openDevice, type Device, type DeviceStore, type Question } from "./device.ts"
export { uniformDraws, type Draws } from "./draws.ts"
export { hadamardProtocol, type HadamardProtocol } from "./hadamard.ts"
export { hashingProtocol, type HashedAnswer, type HashingProtocol } from "./hashing.ts"
export { binaryProtocol, karyProtocol, type KaryProtocol, type Support } from "./kary.ts"
export { keyValueProtocol, type KeyValuePair, type KeyValueProtocol } from "./key-value.ts"
export { levelOf, meanProtocol, type MeanMethod, type MeanProtocol } from "./mean.ts"
export { memoKary, memoUnary, type MemoOptions, type MemoProtocol } from "./memo.ts"
export { oneOf, type OneOf } from "./one-of.ts"
export { projectiveProtocol, type ProjectiveProtocol } from "./projective.ts"
export {
  payloadBytes,
  releaseReport,
  type Answer,
  type FrequencyProtocol,
  type Protocol,
  type SingleAnswer,
  type SingleProtocol,
} from "./protocol.ts"
export { rangeAnswer, rangeProtocol, type RangeProtocol } from "./range.ts"
export { readProtocol } from "./read-protocol.ts"
export { makeReport, openReport, type Report } from "./report.ts"
export { subsetProtocol, type SubsetProtocol } from "./subset.ts"
export { symmetricUnaryProtocol, unaryProtocol, type UnaryProtocol } from "./unary.ts"
export { wordAnswer, wordBytes, wordProtocol, type WordProtocol } from "./words.ts"
