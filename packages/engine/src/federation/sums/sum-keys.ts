// The cryptography of a secure sum, all of it by node:crypto: X25519, HKDF-SHA256, ChaCha20,
// ChaCha20-Poly1305 and Ed25519. Every key has one use, named in its derivation together with the roster of
// the sum.

import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto"
import { fail } from "../../errors.ts"

/** Bytes of every secret here. */
export const secretBytes = 32

// What stands before the 32 bytes of a key in its DER form (RFC 8410).
const x25519Private = Buffer.from("302e020100300506032b656e04220420", "hex")
const x25519Public = Buffer.from("302a300506032b656e032100", "hex")
const ed25519Public = Buffer.from("302a300506032b6570032100", "hex")

/** An X25519 key pair from 32 random bytes. */
export class AgreementKey {
  readonly #key: KeyObject
  /** The public half: 32 bytes as base64. */
  readonly public: string

  constructor(secret: Uint8Array) {
    this.#key = createPrivateKey({
      key: Buffer.concat([x25519Private, secret]),
      format: "der",
      type: "pkcs8",
    })
    this.public = rawPublic(createPublicKey(this.#key)).toString("base64")
  }

  /** What both sides of a pair know; refused where the other key is none, or of small order. */
  sharedWith(other: string): Buffer {
    try {
      return diffieHellman({ privateKey: this.#key, publicKey: publicKeyOf(x25519Public, other) })
    } catch {
      // OpenSSL's message is not for whoever sent the key.
      return fail("federation/sum-key", {})
    }
  }
}

/**
 * Whether a text is a public key that others can agree on a secret with: 32 bytes in base64, one text for one
 * point, and not of small order, where the secret would be 0 for everybody.
 */
export function isAgreementKey(text: string): boolean {
  const bytes = Buffer.from(text, "base64")
  if (bytes.length !== secretBytes || bytes.toString("base64") !== text) return false
  if (BigInt(`0x${Buffer.from(bytes.toReversed()).toString("hex")}`) >= fieldSize) return false
  try {
    // Any secret shows a small order: every one is a multiple of 8.
    probe().sharedWith(text).fill(0)
    return true
  } catch {
    return false
  }
}

/** Coordinates are below this (RFC 7748); what is larger is another text of a point. */
const fieldSize = (1n << 255n) - 19n

let probeKey: AgreementKey | undefined

/** Its secret is public. */
function probe(): AgreementKey {
  probeKey ??= new AgreementKey(Buffer.alloc(secretBytes, 1))
  return probeKey
}

/** The public half of a signing key: 32 bytes as base64. */
export function publicHalf(key: KeyObject): string {
  return rawPublic(createPublicKey(key)).toString("base64")
}

/** A key for one purpose, of one sum, from a secret. */
export function deriveKey(secret: Uint8Array, roster: string, purpose: readonly string[]): Buffer {
  const info = JSON.stringify(["dosimeter secure sum 1", ...purpose])
  return Buffer.from(hkdfSync("sha256", secret, Buffer.from(roster, "hex"), info, secretBytes))
}

/**
 * Seals bytes under a key that is used once.
 *
 * The nonce is 0: a key seals one message, since its derivation names the roster of fresh keys, the sender
 * and the receiver, and a site seals once in a sum.
 */
export function seal(key: Uint8Array, plain: Uint8Array): string {
  const cipher = createCipheriv("chacha20-poly1305", key, Buffer.alloc(12), { authTagLength: 16 })
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64")
}

/** Opens what was sealed; refused where one bit differs. */
export function unseal(key: Uint8Array, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, "base64")
  if (bytes.length < 16) fail("federation/sum-sealed", {})
  const cipher = createDecipheriv("chacha20-poly1305", key, Buffer.alloc(12), { authTagLength: 16 })
  cipher.setAuthTag(bytes.subarray(bytes.length - 16))
  const plain = cipher.update(bytes.subarray(0, bytes.length - 16))
  try {
    cipher.final()
  } catch {
    // The only way in which it fails: the tag does not fit.
    plain.fill(0)
    return fail("federation/sum-sealed", {})
  }
  return plain
}

/** Signs a hash. */
export function signHash(hash: string, key: KeyObject): string {
  return sign(null, Buffer.from(hash, "hex"), key).toString("base64")
}

/** Whether a site has signed a hash. */
export function isSigned(hash: string, signature: string, publicKey: string): boolean {
  return verify(
    null,
    Buffer.from(hash, "hex"),
    publicKeyOf(ed25519Public, publicKey),
    Buffer.from(signature, "base64"),
  )
}

function rawPublic(key: KeyObject): Buffer {
  const der = key.export({ format: "der", type: "spki" })
  return der.subarray(der.length - secretBytes)
}

function publicKeyOf(prefix: Buffer, key: string): KeyObject {
  const bytes = Buffer.from(key, "base64")
  if (bytes.length !== secretBytes) fail("federation/sum-key", {})
  return createPublicKey({ key: Buffer.concat([prefix, bytes]), format: "der", type: "spki" })
}
