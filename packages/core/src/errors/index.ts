// Errors: @dosimeter/core/errors. The one class, and how a package defines its codes. A door of its own for
// programs that must start quickly, since the main one loads most of core.

export { assert, unreachable } from "./assert.ts"
export {
  defineError,
  errorMaker,
  makeError,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "./define-errors.ts"
export { DosimeterError, renderError, type ErrorKind, type Issue, type Span } from "./dosimeter-error.ts"
export { coreErrors, type CoreErrorCode } from "./errors.ts"
