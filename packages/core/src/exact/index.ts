// Exact numbers: @dosimeter/core/exact. Fractions, decimals, doubles rounded in a stated direction.

export { decimalExponent, exactly, parseDecimal, showParameter, type Numeric } from "./decimal.ts"
export {
  numberDown,
  numberNear,
  numberNearest,
  numberUp,
  rationalOfNumber,
  roundDown,
  roundUp,
} from "./dyadic.ts"
export { expm1Near, expNear, ln1pNear, lnNear, tanhNear } from "./elementary.ts"
export { sqrtDown, sqrtUp } from "./log.ts"
export {
  add,
  ceil,
  compare,
  divide,
  floor,
  isPositive,
  maximum,
  minimum,
  multiply,
  negate,
  one,
  rational,
  showRational,
  square,
  subtract,
  zero,
  type Rational,
} from "./rational.ts"
