// How errors are made and read: @dosimeter/core/errors. For programs that must start quickly, since the main
// door loads all of core.

export { DosimeterError, renderError, type ErrorKind, type Issue, type Span } from "./dosimeter-error.ts"
export {
  defineError,
  errorMaker,
  makeError,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "./define-errors.ts"
