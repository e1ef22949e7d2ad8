// Collects all that is wrong with a policy, so that its owner sees everything at once.

import { DosimeterError, type Issue, type Span } from "@dosimeter/core"
import { errorOf, type PolicyErrorCode } from "../errors.ts"

/** More would not be read by anybody. */
const issuesMax = 100

/** The issues found so far. */
export class Report {
  readonly #issues: Issue[] = []

  /** Notes one issue with its place in the policy. */
  add<Code extends PolicyErrorCode>(code: Code, facts: Parameters<typeof errorOf<Code>>[1], at: Span): void {
    if (this.#issues.length < issuesMax) this.#issues.push(...errorOf(code, facts, at).issues)
  }

  /** How many were noted. */
  get count(): number {
    return this.#issues.length
  }

  /** Throws everything that was noted, in the order of the text. */
  throwIfAny(): void {
    const [first, ...others] = this.#issues.toSorted((a, b) => (a.at?.start ?? 0) - (b.at?.start ?? 0))
    if (first !== undefined) throw new DosimeterError("invalid", [first, ...others])
  }
}
