// What the analyst wants besides the SQL, as typed and chosen: for the compiler here, and for the server.

import { exactly } from "@dosimeter/core"
import type { Ask } from "@dosimeter/proof/catalog/terms"

/** What is wanted; the owner's default where a text is empty. */
export interface TypedAsk {
  readonly epsilon: string
  /** An error to reach in place of epsilon: 50, or 5%. */
  readonly within: string
  /** A number, or auto: learnt first. */
  readonly groupsPerUnit: string
  readonly rowsPerGroup: string
  /** What people are scaled to: a norm that is learnt, or that of groups and rows; the policy's for "usual". */
  readonly norm: "usual" | "auto" | "fixed"
  /** What a learnt norm is for; as the policy says for "usual". */
  readonly aim: "usual" | "below-noise" | "least-error"
  /** Which bounds of values are learnt first; as the policy says for "usual". */
  readonly bounds: "usual" | "auto" | "all" | "declared"
  /** Whether numbers are shown as they were measured, so that counts may be negative. */
  readonly raw: boolean
  readonly nonNegative: boolean
  readonly quantileIntervals: boolean
  readonly reuse: "auto" | "always" | "never"
  /** Keys that come from the data, beside COUNT(*): smaller groups, or less noise; what is better for "auto". */
  readonly keys: "auto" | "more" | "counts"
  /** Delta for selecting keys: 1e-9; in proportion to the loss if empty. */
  readonly keysDelta: string
  /** persons=2, visits=0.5 */
  readonly weights: string
}

/** Nothing but the owner's defaults. */
export const usual: TypedAsk = {
  epsilon: "",
  within: "",
  groupsPerUnit: "",
  rowsPerGroup: "",
  norm: "usual",
  aim: "usual",
  bounds: "usual",
  raw: false,
  nonNegative: false,
  quantileIntervals: true,
  reuse: "auto",
  keys: "auto",
  keysDelta: "",
  weights: "",
}

/** The fields without leading and trailing spaces, which mean nothing. */
function trimmed(wanted: TypedAsk): TypedAsk {
  const { epsilon, within, groupsPerUnit, rowsPerGroup, keysDelta, weights } = wanted
  return {
    ...wanted,
    epsilon: epsilon.trim(),
    within: within.trim(),
    groupsPerUnit: groupsPerUnit.trim(),
    rowsPerGroup: rowsPerGroup.trim(),
    keysDelta: keysDelta.trim(),
    weights: weights.trim(),
  }
}

/** Whether only the server can price it: stages that learn bounds or look first are planned there. */
export function needsServer(wanted: TypedAsk): boolean {
  const { within, bounds, groupsPerUnit } = trimmed(wanted)
  return within !== "" || bounds === "auto" || bounds === "all" || groupsPerUnit === "auto"
}

/** For the compiler. */
export function askOf(wanted: TypedAsk): Ask {
  const { epsilon, groupsPerUnit, rowsPerGroup, quantileIntervals, keys, keysDelta, weights } =
    trimmed(wanted)
  return {
    ...(epsilon === "" ? {} : { epsilon: exactly(epsilon, "epsilon") }),
    ...(groupsPerUnit === "" ? {} : { groupsPerUnit: wholeOf(groupsPerUnit, "groups per unit") }),
    ...(rowsPerGroup === "" ? {} : { rowsPerGroup: wholeOf(rowsPerGroup, "rows per group") }),
    ...normOf(wanted),
    ...signOf(wanted),
    ...(quantileIntervals ? {} : { quantileIntervals }),
    ...(keys === "auto" ? {} : { keys }),
    ...(keysDelta === "" ? {} : { keysDelta: exactly(keysDelta, "keysDelta") }),
    ...(weights === ""
      ? {}
      : {
          weights: Object.fromEntries(
            weightsIn(weights).map(([name, text]) => [name, exactly(text, "weights")]),
          ),
        }),
  }
}

function signOf({ raw, nonNegative }: TypedAsk): { readonly nonNegative?: boolean } {
  return raw || nonNegative ? { nonNegative: !raw } : {}
}

/** Whether the aim means something: it is that of a learnt norm. */
export function hasAim({ norm }: TypedAsk): boolean {
  return norm !== "fixed"
}

function normOf(wanted: TypedAsk): Pick<Ask, "norm" | "aim"> {
  const { norm, aim } = wanted
  return {
    ...(norm === "usual" ? {} : { norm }),
    ...(aim === "usual" || !hasAim(wanted) ? {} : { aim }),
  }
}

/** The fields that can hold a mistake. */
export type AskField = keyof typeof patterns

const patterns = {
  epsilon: /^(\d{1,20}(\.\d{1,60})?)?$/,
  within: /^(\d{1,20}(\.\d{1,20})?\s*%?)?$/,
  groupsPerUnit: /^(auto|[1-9]\d{0,8})?$/,
  rowsPerGroup: /^([1-9]\d{0,8})?$/,
  keysDelta: /^(\d{1,20}(\.\d{1,60})?(e[+-]?\d{1,3})?)?$/,
  weights: /^\s*([^=,]+=\s*\d{1,20}(\.\d{1,60})?\s*(,|$)\s*)*$/,
}

/** The fields that cannot be read as they stand. */
export function wrongFields(wanted: TypedAsk): readonly AskField[] {
  const names = ["epsilon", "within", "groupsPerUnit", "rowsPerGroup", "keysDelta", "weights"] as const
  return names.filter((name) => !patterns[name].test(wanted[name].trim()))
}

/** Whether a value from the browser's storage has the shape of a TypedAsk. */
export function isTypedAsk(value: unknown): value is TypedAsk {
  if (typeof value !== "object" || value === null) return false
  const kept = new Map(Object.entries(value))
  return Object.entries(usual).every(([name, like]) => typeof kept.get(name) === typeof like)
}

/** A question as it is sent, to be priced and to be asked: the same object for both. */
export function questionBody(sql: string, wanted: TypedAsk, study: string | undefined) {
  return { ...bodyOf(sql, wanted), ...(study === undefined ? {} : { study }) }
}

/** For the server: only fields that differ from the defaults. */
export function bodyOf(sql: string, wanted: TypedAsk) {
  const { epsilon, within, groupsPerUnit, rowsPerGroup, bounds, keysDelta, weights } = trimmed(wanted)
  return {
    sql,
    ...(epsilon === "" || within !== "" ? {} : { epsilon }),
    ...(within === "" ? {} : { within }),
    ...(groupsPerUnit === ""
      ? {}
      : { groupsPerUnit: groupsPerUnit === "auto" ? ("auto" as const) : Number(groupsPerUnit) }),
    ...(rowsPerGroup === "" ? {} : { rowsPerGroup: Number(rowsPerGroup) }),
    ...normOf(wanted),
    ...(bounds === "usual" ? {} : { bounds }),
    ...signOf(wanted),
    ...(wanted.quantileIntervals ? {} : { quantileIntervals: false }),
    ...(wanted.reuse === "auto" ? {} : { reuse: wanted.reuse }),
    ...(wanted.keys === "auto" ? {} : { keys: wanted.keys }),
    ...(keysDelta === "" ? {} : { keysDelta }),
    ...(weights === "" ? {} : { weights: Object.fromEntries(weightsIn(weights)) }),
  }
}

/** A column and a number each; a name may hold anything but commas. */
function weightsIn(text: string): readonly (readonly [name: string, weight: string])[] {
  return text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const place = part.lastIndexOf("=")
      return [part.slice(0, Math.max(place, 0)).trim(), part.slice(place + 1).trim()] as const
    })
}

function wholeOf(text: string, name: string): bigint {
  const { numerator, denominator } = exactly(text, name)
  return numerator / denominator
}
