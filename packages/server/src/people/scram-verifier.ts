// What is kept in place of a password: keys from which nobody learns it, and with which SCRAM and a form in a
// browser can check it.

import { createHash, createHmac, pbkdf2, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

/** What is kept in place of a password. */
export interface ScramVerifier {
  readonly salt: Buffer
  readonly iterations: number
  readonly storedKey: Buffer
  readonly serverKey: Buffer
}

/**
 * How often a password is hashed: one that somebody chose as often as all drivers allow (node-postgres stops
 * at 100,000); one that was made up has 120 random bits, which nobody guesses, and costs clients nothing.
 */
export const iterationsOf = { chosen: 100_000, "made-up": 4096 } as const

/** Where a password is from. */
export type PasswordOrigin = keyof typeof iterationsOf

/** In bytes. */
export const keyLength = 32

/** A verifier for a password. */
export function makeVerifier(
  password: string,
  {
    salt = randomBytes(16),
    iterations = iterationsOf.chosen,
  }: Partial<Pick<ScramVerifier, "salt" | "iterations">> = {},
): ScramVerifier {
  return verifierOf(pbkdf2Sync(prepared(password), salt, iterations, keyLength, "sha256"), salt, iterations)
}

/** Whether a password is the one of a verifier. Other work goes on meanwhile. */
export async function matchesPassword(password: string, verifier: ScramVerifier): Promise<boolean> {
  const { salt, iterations } = verifier
  const salted = await promisify(pbkdf2)(prepared(password), salt, iterations, keyLength, "sha256")
  return timingSafeEqual(verifierOf(salted, salt, iterations).storedKey, verifier.storedKey)
}

function verifierOf(salted: Buffer, salt: Buffer, iterations: number): ScramVerifier {
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest()
  return { salt, iterations, storedKey, serverKey: hmac(salted, "Server Key") }
}

/** HMAC with SHA-256. */
export function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest()
}

/** SASLprep (RFC 4013) as far as it changes what people type; what it forbids is taken as it is. */
export function prepared(password: string): string {
  const mapped = password
    .replaceAll(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu, " ")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
  return mapped === "" || /[\p{Cc}\p{Co}\p{Cs}\p{Cn}]/u.test(mapped) ? password : mapped
}
