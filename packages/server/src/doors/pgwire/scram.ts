// SCRAM-SHA-256 and -PLUS (RFC 5802, 7677), the server's side: the password never travels and is not kept. A
// name without an account goes through the same steps as any other, and fails at the same one.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { hmac, iterationsOf, keyLength, type ScramVerifier } from "../../people/scram-verifier.ts"

/** The mechanism by its name. */
export const scramMechanism = "SCRAM-SHA-256"
/** The one that is bound to the certificate of the connection. */
export const scramPlusMechanism = "SCRAM-SHA-256-PLUS"

const mechanismBinding = "tls-server-end-point"

/** Why a dialogue ended without success. The client is told none of it. */
export class ScramFailure extends Error {
  override readonly name = "ScramFailure"
}

/** What a dialogue is held with. */
export interface ScramOptions {
  /** Undefined for a user that there is not. */
  readonly verifier: ScramVerifier | undefined
  /** For a salt that an unknown user has every time: a secret of the server, and the user's name. */
  readonly decoy: { readonly secret: Buffer; readonly user: string }
  /** Of the server's certificate, if the connection has one. */
  readonly bindingData: Buffer | undefined
  readonly nonce?: string
}

/** The two answers of the server. */
export class ScramDialogue {
  readonly #options: ScramOptions
  readonly #mechanism: string
  readonly #verifier: ScramVerifier
  #header = ""
  #clientFirst = ""
  #serverFirst = ""
  #nonce = ""

  constructor(mechanism: string, options: ScramOptions) {
    this.#options = options
    this.#mechanism = mechanism
    this.#verifier = options.verifier ?? decoyOf(options.decoy)
  }

  /** The client's first message to the server's. */
  first(message: string): string {
    const [, header = "", bare = "", clientNonce = ""] =
      /^((?:n|y|p=[^,]*),[^,]*,)((?:n=[^,]*),r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?)$/.exec(message) ?? []
    if (header === "") throw new ScramFailure("the first message is not one")
    this.#checkBinding(header)
    this.#header = header
    this.#clientFirst = bare
    this.#nonce = clientNonce + (this.#options.nonce ?? randomBytes(18).toString("base64"))
    const { salt, iterations } = this.#verifier
    this.#serverFirst = `r=${this.#nonce},s=${salt.toString("base64")},i=${iterations}`
    return this.#serverFirst
  }

  /** The client's last message to the server's, which shows that the server knows the user too. */
  final(message: string): string {
    const [, without = "", channel = "", nonce = "", proof = ""] =
      /^(c=([A-Za-z0-9+/=]*),r=([^,]*)(?:,[^p][^,]*)*),p=([A-Za-z0-9+/=]+)$/.exec(message) ?? []
    const { storedKey, serverKey } = this.#verifier
    const signed = `${this.#clientFirst},${this.#serverFirst},${without}`
    const signature = hmac(storedKey, signed)
    const sent = Buffer.from(proof, "base64")
    if (without === "" || sent.length !== keyLength) throw new ScramFailure("the last message is not one")
    const clientKey = Buffer.from(signature.map((byte, index) => byte ^ (sent[index] ?? 0)))
    const isRight = timingSafeEqual(createHash("sha256").update(clientKey).digest(), storedKey)
    const isBound = Buffer.from(channel, "base64").equals(this.#expectedChannel())
    if (!isBound || nonce !== this.#nonce) throw new ScramFailure("another dialogue")
    if (!isRight || this.#options.verifier === undefined) throw new ScramFailure("the password is wrong")
    return `v=${hmac(serverKey, signed).toString("base64")}`
  }

  // A client that can bind was told by somebody else that the server cannot: the connection is not safe.
  #checkBinding(header: string): void {
    const isPlus = this.#mechanism === scramPlusMechanism
    const canBind = this.#options.bindingData !== undefined
    const isBound = header.startsWith(`p=${mechanismBinding},`)
    if (isPlus !== isBound || (isPlus && !canBind) || (header.startsWith("p=") && !isBound)) {
      throw new ScramFailure("the channel is bound otherwise than agreed")
    }
    if (header.startsWith("y,") && canBind) throw new ScramFailure("somebody took the binding away")
    if (/^[^,]*,[^,]/.test(header)) throw new ScramFailure("nobody speaks for somebody else here")
  }

  #expectedChannel(): Buffer {
    const header = Buffer.from(this.#header)
    const { bindingData } = this.#options
    return this.#mechanism === scramPlusMechanism && bindingData !== undefined
      ? Buffer.concat([header, bindingData])
      : header
  }
}

// Accounts have one of two counts; so has a name without an account, always the same one.
function decoyOf({ secret, user }: ScramOptions["decoy"]): ScramVerifier {
  const bytes = hmac(secret, user)
  const salt = bytes.subarray(0, 16)
  return {
    salt,
    iterations: iterationsOf[(bytes[16] ?? 0) < 128 ? "chosen" : "made-up"],
    storedKey: randomBytes(keyLength),
    serverKey: randomBytes(keyLength),
  }
}
