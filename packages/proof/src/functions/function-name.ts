// The functions and operators of the IR, by our own names. bind/ maps what people write to them, the files
// beside this one say for each what it gives and how it is spelled. Every one is total: for any arguments
// inside their domains it gives a value or NULL, and never an error.

/** A function or operator. */
export type FunctionName =
  // Logic with three values. `in-list` is x, then the items.
  | "and"
  | "or"
  | "not"
  | "is-null"
  | "is-true"
  | "is-false"
  | "equal"
  | "not-equal"
  | "less"
  | "less-or-equal"
  | "greater"
  | "greater-or-equal"
  | "distinct-from"
  | "in-list"
  // Choice. `greatest` and `least` ignore NULLs; `clamp` is x, low, high, and NULL for NULL.
  | "coalesce"
  | "nullif"
  | "greatest"
  | "least"
  | "clamp"
  // Arithmetic. Division by zero gives NULL; of two integers it truncates; what has no real result is NULL.
  | "add"
  | "subtract"
  | "multiply"
  | "divide"
  | "modulo"
  | "negate"
  | "abs"
  | "sign"
  | "round"
  | "floor"
  | "ceil"
  | "trunc"
  | "sqrt"
  | "exp"
  | "ln"
  | "log10"
  | "power"
  // Text, counted in code points.
  | "lower"
  | "upper"
  | "length"
  | "trim"
  | "trim-start"
  | "trim-end"
  | "substring"
  | "left"
  | "right"
  | "concat"
  | "position"
  | "replace"
  | "starts-with"
  | "like"
  | "like-any-case"
  // Dates and times. The field, unit or interval is a literal.
  | "add-days"
  | "add-interval"
  | "days-between"
  | "seconds-between"
  | "extract"
  | "date-trunc"
  | "age-years"
  | "age-months"
  // Estimates about a population, over results only: no database is asked for them (estimates.ts).
  | EstimateName
  // To the type of the node; NULL where the value has none.
  | "cast"

/** A function that is computed after a release, and nowhere else. */
export type EstimateName =
  | "rate-per"
  | "risk"
  | "risk-ratio"
  | "risk-difference"
  | "rate-ratio"
  | "rate-difference"
  | "odds-ratio"
  // Several numbers side by side: the argument of an aggregate that takes more than one. Has no value.
  | "row-of"
