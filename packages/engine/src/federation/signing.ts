// Ed25519 keys of sites and coordinators, and signatures over canonical text. A public key is written as the
// base64url of its 32 bytes: that is what people compare when a site is enrolled.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto"
import { canonicalJson } from "../ledger/entries/canonical.ts"
import { fail } from "../errors.ts"

/** Who can sign as a site or as a coordinator. */
export class Signer {
  /** Base64url of 32 bytes. */
  readonly publicKey: string
  readonly #key: KeyObject

  private constructor(key: KeyObject) {
    this.#key = key
    this.publicKey = rawPublicKey(createPublicKey(key))
  }

  /** A new key. */
  static make(): Signer {
    return new Signer(generateKeyPairSync("ed25519").privateKey)
  }

  /** A key that was kept. */
  static ofPem(pem: string): Signer {
    const key = readPrivateKey(pem)
    if (key?.asymmetricKeyType !== "ed25519") fail("federation/bad-key", {})
    return new Signer(key)
  }

  /** The private key as PEM: to be kept where only its owner can read it. */
  toPem(): string {
    return this.#key.export({ type: "pkcs8", format: "pem" }).toString()
  }

  /** The key as the secure sum takes it. */
  get privateKey(): KeyObject {
    return this.#key
  }

  /** Signs a value under a label that says what is signed: no signature serves for something else. */
  sign(label: string, value: unknown): string {
    return sign(null, signedBytes(label, value), this.#key).toString("base64url")
  }
}

/** Whether a signature is that of a public key over a value under a label. */
export function isSigned(
  label: string,
  value: unknown,
  { publicKey, signature }: { readonly publicKey: string; readonly signature: string },
): boolean {
  const bytes = Buffer.from(signature, "base64url")
  const key = readPublicKey(publicKey)
  // The one spelling of 64 bytes: two signatures of different texts are different.
  if (key === undefined || bytes.length !== 64 || bytes.toString("base64url") !== signature) return false
  return verify(null, signedBytes(label, value), key, bytes)
}

/** Whether a text is a public key as written here. */
export function isPublicKey(text: string): boolean {
  return readPublicKey(text) !== undefined
}

/** The algorithm's name and the place of the key in a SubjectPublicKeyInfo of Ed25519 (RFC 8410). */
const spkiHead = Buffer.from("302a300506032b6570032100", "hex")

function rawPublicKey(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).subarray(spkiHead.length).toString("base64url")
}

function readPublicKey(text: string): KeyObject | undefined {
  const raw = Buffer.from(text, "base64url")
  if (raw.length !== 32 || raw.toString("base64url") !== text) return undefined
  try {
    return createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: "der", type: "spki" })
  } catch {
    return undefined
  }
}

function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    // The message could quote the key.
    return undefined
  }
}

function signedBytes(label: string, value: unknown): Buffer {
  return Buffer.from(`${label}\n${canonicalJson(value)}`, "utf8")
}
