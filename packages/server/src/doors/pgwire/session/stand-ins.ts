// Values in the place of parameters that are not known yet: what columns an answer has depends on the types
// of parameters, and some places, such as bounds, need some value. Nothing is asked with them.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import { numberTypes } from "../wire/read-parameter.ts"

/** The columns of an answer to which values will come later: with NULL, or with what stands in for values. */
export async function columnsByTypes<Columns>(
  types: readonly number[],
  columnsOf: (values: readonly Constant[]) => Promise<Columns | undefined>,
): Promise<Columns | undefined> {
  try {
    return await columnsOf(types.map((): Constant => ({ kind: "null" })))
  } catch (error) {
    for (const values of types.length === 0 ? [] : standIns(types)) {
      const columns = await columnsOf(values).catch(() => undefined)
      if (columns !== undefined) return columns
    }
    // So it is with any values.
    throw error
  }
}

/** Lists to try one after the other, made from the types that were declared; 0 is none. */
function standIns(types: readonly number[]): readonly (readonly Constant[])[] {
  return untyped.map((textAt) => types.map((type, index) => ofType(type, index) ?? textAt(index)))
}

/** Text without a type means what its place makes of it: a number, a day, or itself. */
const untyped: readonly ((index: number) => Constant)[] = [
  (index) => ({ kind: "text", value: `${index + 1}` }),
  (index) => ({ kind: "text", value: `20${`${index + 10}`.padStart(2, "0")}-01-01` }),
]

/** One after the other is greater: a lower bound stands before its upper one. */
function ofType(type: number, index: number): Constant | undefined {
  if (numberTypes.has(type)) {
    return { kind: "number", value: { numerator: BigInt(index + 1), denominator: 1n } }
  }
  if (type === 16) return { kind: "boolean", value: true }
  if (type === 1082) return { kind: "date", day: BigInt(18_000 + index) }
  if (type === 1114) return { kind: "timestamp", micros: BigInt(18_000 + index) * 86_400_000_000n }
  return undefined
}
