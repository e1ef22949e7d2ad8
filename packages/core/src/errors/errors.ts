// The errors of @dosimeter/core. docs/errors.md lists every code; tools/rules/docs.test.ts compares the two.

import { defineError, errorMaker, type ErrorDefinition, type ErrorMaker, type Fail } from "./define-errors.ts"

interface Named extends Record<string, string> {
  /** The parameter as the caller knows it, such as "epsilon". */
  readonly name: string
}
interface NamedGot extends Named {
  /** What was given. Parameters are public; data never comes here. */
  readonly got: string
}
interface Conflict extends Record<string, string> {
  /** Who needs what, at which epsilon; then who allows what. A fact `remedy` may say what would meet both. */
  readonly needs: string
  readonly allows: string
}

/** Every error that core can raise. */
export const coreErrors = {
  "parameter/not-a-number": defineError<NamedGot>({
    kind: "invalid",
    message: ({ name, got }) => `${name} is not a finite number: ${got}`,
    help: ({ name }) =>
      `give ${name} as a decimal such as "0.5", a fraction such as "1/3", or a finite number`,
  }),
  "parameter/not-positive": defineError<NamedGot>({
    kind: "invalid",
    message: ({ name, got }) => `${name} must be greater than 0, not ${got}`,
    help: ({ name }) => `give a positive ${name}; where nothing may be learned, do not ask`,
  }),
  "parameter/negative": defineError<NamedGot>({
    kind: "invalid",
    message: ({ name, got }) => `${name} must not be negative, and is ${got}`,
    help: ({ name }) => `give ${name} as 0 or more`,
  }),
  "parameter/out-of-range": defineError<NamedGot & { readonly range: string }>({
    kind: "invalid",
    message: ({ name, got, range }) => `${name} must lie in ${range}, and is ${got}`,
    help: ({ name, range }) => `choose ${name} from ${range}`,
  }),
  "parameter/not-an-integer": defineError<NamedGot>({
    kind: "invalid",
    message: ({ name, got }) => `${name} must be a whole number, not ${got}`,
    help: ({ name }) => `give ${name} as an integer; for finer values choose a finer grid`,
  }),
  "parameter/empty": defineError<Named>({
    kind: "invalid",
    message: ({ name }) => `${name} is empty`,
    help: ({ name }) => `give at least one of ${name}`,
  }),
  "parameter/length": defineError<NamedGot & { readonly expected: string }>({
    kind: "invalid",
    message: ({ name, got, expected }) => `${name} has ${got} entries, and ${expected} are expected`,
    help: ({ name, expected }) => `give ${name} with exactly ${expected} entries`,
  }),
  "parameter/too-large": defineError<NamedGot & { readonly limit: string }>({
    kind: "invalid",
    message: ({ name, got, limit }) => `${name} is ${got}, above the limit of ${limit}`,
    help: ({ name, limit }) => `keep ${name} at or below ${limit}`,
  }),
  "privacy/zero-sensitivity": defineError<Named>({
    kind: "invalid",
    message: ({ name }) => `${name} has sensitivity 0, so no noise would be added`,
    help: () => "declare what one person can change; an answer that depends on nobody needs no mechanism",
  }),
  "privacy/classic-gaussian-range": defineError<{ readonly epsilon: string }>({
    kind: "refused",
    message: ({ epsilon }) =>
      `the textbook Gaussian is proven for epsilon up to 1, and epsilon is ${epsilon}`,
    help: () => "use the analytic calibration: it holds for every epsilon and needs less noise",
  }),
  "privacy/no-such-loss": defineError<{ readonly mechanism: string; readonly measure: string }>({
    kind: "unsupported",
    message: ({ mechanism, measure }) => `the ${mechanism} mechanism has no ${measure} loss`,
    help: ({ measure }) =>
      measure === "pure" ? "use a Laplace mechanism, or a budget with a delta" : "choose another measure",
  }),
  "privacy/requirements-conflict": defineError<Conflict>({
    kind: "refused",
    message: ({ needs, allows }) => `no epsilon meets both: ${needs}; but ${allows}`,
    help: (facts) => facts["remedy"] ?? "relax one of the two, or ask a question with a smaller sensitivity",
  }),
  "postprocess/infeasible": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `no values can meet: ${what}`,
    help: () => "drop or relax one of the conditions named",
  }),
  "postprocess/undetermined": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `nothing that was measured determines ${what}`,
    help: ({ what }) => `measure ${what} or something that holds it, or leave it out`,
  }),
  "postprocess/conflict": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `${what} are both without noise, and they differ`,
    help: () => "find out which one is right, and leave the other out or give it a variance",
  }),
  "postprocess/not-a-tree": defineError<{ readonly node: string }>({
    kind: "invalid",
    message: ({ node }) => `node ${node} is its own ancestor`,
    help: () => "give every node one parent, and -1 to a root",
  }),
  "postprocess/not-a-covariance": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `the covariance cannot be one: ${what}`,
    help: () => "give a symmetric matrix in which no combination of values has a negative variance",
  }),
  "postprocess/ill-conditioned": defineError<{ readonly what: string }>({
    kind: "unsupported",
    message: ({ what }) => `the constraints are too nearly dependent for doubles: ${what}`,
    help: () => "remove constraints that almost repeat others, and bring weights to similar sizes",
  }),
  "random/unavailable": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "this platform has no cryptographic random source",
    help: () => "run on Node 20 or newer, or in a browser with Web Crypto",
  }),
  "mechanism/finished": defineError<{ readonly mechanism: string }>({
    kind: "refused",
    message: ({ mechanism }) => `this ${mechanism} has given all the answers that its loss pays for`,
    help: () => "start a new one and pay for it",
  }),
  "local/not-a-protocol": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `this is no protocol that a device could follow: ${what}`,
    help: () => "make protocols with the functions of @dosimeter/core/local, and publish them unchanged",
  }),
  "local/promise-broken": defineError<{ readonly got: string; readonly promised: string }>({
    kind: "refused",
    message: ({ got, promised }) => `the protocol loses epsilon ${got}, and ${promised} was promised`,
    help: () => "do not answer; tell the collector to publish a protocol that keeps its promise",
  }),
  "local/malformed-report": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `this is no report of the protocol: ${what}`,
    help: () => "send what the device's report function returned, unchanged",
  }),
  "local/other-parameters": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "the report follows other parameters than this study",
    help: () => "load the study's protocol again, and answer with that",
  }),
  "local/limit-reached": defineError<{ readonly study: string; readonly limit: string }>({
    kind: "refused",
    message: ({ study, limit }) =>
      `study ${study} would take this device above its limit of epsilon ${limit}`,
    help: () => "leave this study out; the limit is for the life of the device",
  }),
  "local/withdrawn": defineError<{ readonly study: string }>({
    kind: "refused",
    message: ({ study }) => `this device has withdrawn from study ${study}`,
    help: () => "send nothing; a withdrawal is for good",
  }),
  "local/question-changed": defineError<{ readonly study: string; readonly question: string }>({
    kind: "refused",
    message: ({ study, question }) =>
      `question ${question} of study ${study} has other parameters than before`,
    help: () => "give a question with new parameters a new name, so that it is paid for",
  }),
  "local/state-unreadable": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "the device's memory cannot be read, so it is not known what was lost",
    help: () => "restore it; to begin again would forget the limit",
  }),
  "local/crowd-too-small": defineError<{ readonly honest: string; readonly wanted: string }>({
    kind: "refused",
    message: ({ honest, wanted }) => `${honest} honest reports hide nobody well enough: ${wanted} are wanted`,
    help: () => "wait for more reports; allow for fewer fakes only if something keeps them out",
  }),
  "local/cannot-answer": defineError<{
    readonly reached: string
    readonly wanted: string
    readonly remedy: string
  }>({
    kind: "refused",
    message: ({ reached, wanted }) => `the study would be off by ${reached}, and ${wanted} is wanted`,
    help: ({ remedy }) => remedy,
  }),
  "bug/invariant": defineError<{ readonly what: string }>({
    kind: "bug",
    message: ({ what }) => `an invariant of Dosimeter does not hold: ${what}`,
    help: () => "please report this; no answer was released",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** The codes of core, stable for ever. */
export type CoreErrorCode = keyof typeof coreErrors

/** Makes the error of one code without throwing it. */
export const errorOf: ErrorMaker<typeof coreErrors> = errorMaker(coreErrors)

/** Throws the error of one code. */
export const fail: Fail<typeof coreErrors> = (...error) => {
  throw errorOf(...error)
}
