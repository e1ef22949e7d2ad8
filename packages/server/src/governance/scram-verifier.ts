// What is kept in place of a password: keys from which nobody learns it, and with which SCRAM and a form in a
// browser can check it.

import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto"

/** What is kept in place of a password. */
export interface ScramVerifier {
  readonly salt: Buffer
  readonly iterations: number
  readonly storedKey: Buffer
  readonly serverKey: Buffer
}

/** How often the password is hashed. */
export const iterationsDefault = 65_536
/** In bytes. */
export const keyLength = 32

/** A verifier for a password. */
export function makeVerifier(
  password: string,
  {
    salt = randomBytes(16),
    iterations = iterationsDefault,
  }: Partial<Pick<ScramVerifier, "salt" | "iterations">> = {},
): ScramVerifier {
  const salted = pbkdf2Sync(prepared(password), salt, iterations, keyLength, "sha256")
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest()
  return { salt, iterations, storedKey, serverKey: hmac(salted, "Server Key") }
}

/** Whether a password is the one of a verifier. */
export function matchesPassword(password: string, verifier: ScramVerifier): boolean {
  const { salt, iterations } = verifier
  return timingSafeEqual(makeVerifier(password, { salt, iterations }).storedKey, verifier.storedKey)
}

/** HMAC with SHA-256. */
export function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest()
}

/** SASLprep (RFC 4013) as far as it changes what people type; what it forbids is taken as it is. */
function prepared(password: string): string {
  const mapped = password
    .replaceAll(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu, " ")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
  return mapped === "" || /[\p{Cc}\p{Co}\p{Cs}\p{Cn}]/u.test(mapped) ? password : mapped
}
