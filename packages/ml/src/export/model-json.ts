// Released models as JSON and back. Arrays of numbers keep their kind; what is read is checked field by field,
// because a file may come from anywhere.

import { fail } from "../errors.ts"
import { isModel, type ReleasedModel } from "./model-shapes.ts"

const format = "dosimeter-model"
const version = 1

/** A model as JSON: numbers to the last bit, typed arrays with their type. */
export function modelToJson(model: ReleasedModel): string {
  return JSON.stringify({ format, version, model }, (_, value: unknown) => {
    if (value instanceof Float64Array) return { float64: [...value] }
    return value instanceof Uint16Array ? { uint16: [...value] } : value
  })
}

/** The model that a JSON text holds; refused unless it is one, whole. */
export function modelFromJson(text: string): ReleasedModel {
  const found = parsed(text)
  if (typeof found !== "object" || found === null) return fail("model/unreadable", {})
  const isOurs =
    "format" in found && found.format === format && "version" in found && found.version === version
  const model = isOurs && "model" in found ? found.model : undefined
  return isModel(model) ? model : fail("model/unreadable", {})
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => revived(value))
  } catch {
    return undefined
  }
}

function revived(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if ("float64" in value && isNumbers(value.float64)) return Float64Array.from(value.float64)
  return "uint16" in value && isNumbers(value.uint16) ? Uint16Array.from(value.uint16) : value
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number")
}
