// What travels from a device: which study, which parameters, a number drawn for this report alone, and the
// randomized bytes. Nothing else; every report of a question has the same length.

import { fail } from "../errors/errors.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { parametersOf } from "./certificate.ts"
import { payloadBytes, type Protocol } from "./protocol.ts"

/** One report. */
export interface Report {
  /** 128 random bits, so that the same report is not counted twice; they belong to no device. */
  readonly id: string
  /** The hash of the protocol that the device followed. */
  readonly parameters: string
  /** The randomized answer, in base64url. */
  readonly payload: string
}

/** Puts randomized bytes into a report. */
export function makeReport(protocol: Protocol, payload: Uint8Array, rng: RandomBits): Report {
  return { id: freshId(rng), parameters: parametersOf(protocol), payload: toBase64(payload) }
}

/** An id for a report: 128 random bits. */
export function freshId(rng: RandomBits): string {
  return toBase64(Uint8Array.from({ length: 16 }, () => rng.word() & 255))
}

/** The bytes of a report that claims to follow this protocol; anything else is refused. */
export function openReport(
  protocol: Protocol,
  report: unknown,
  parameters = parametersOf(protocol),
): Uint8Array {
  if (!isReport(report)) return malformed("it is not { id, parameters, payload }")
  if (report.parameters !== parameters) fail("local/other-parameters", {})
  if (report.id.length !== 22) malformed("its id has not 128 bits")
  const bytes = payloadBytes(protocol)
  if (report.payload.length !== Math.ceil((bytes * 4) / 3)) malformed("its length is another")
  return fromBase64(report.payload, bytes)
}

function isReport(report: unknown): report is Report {
  if (typeof report !== "object" || report === null) return false
  if (!("id" in report) || !("parameters" in report) || !("payload" in report)) return false
  return [report.id, report.parameters, report.payload].every((text) => typeof text === "string")
}

/** Refuses a report. */
export function malformed(what: string): never {
  return fail("local/malformed-report", { what })
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Bytes in base64url, without padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = ""
  for (let start = 0; start < bytes.length; start += 3) {
    const group = ((bytes[start] ?? 0) << 16) | ((bytes[start + 1] ?? 0) << 8) | (bytes[start + 2] ?? 0)
    const count = Math.min(4, Math.ceil(((bytes.length - start) * 4) / 3))
    for (let i = 0; i < count; i += 1) text += digits.charAt((group >> (18 - 6 * i)) & 63)
  }
  return text
}

/** The bytes of a base64url text; the only text for these bytes, so that a report has one spelling. */
export function fromBase64(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let [held, bits, place] = [0, 0, 0]
  for (const character of text) {
    const digit = digits.indexOf(character)
    if (digit < 0) malformed("it is not base64url")
    held = ((held << 6) | digit) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[place] = (held >> bits) & 255
    place += 1
  }
  if (place !== length || (held & (2 ** bits - 1)) !== 0) malformed("it is not base64url")
  return bytes
}
