// Passwords of participants, who do not come by the door for clients of PostgreSQL: scrypt, which takes
// memory as well as time, so that guessing by special hardware is expensive.

import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto"
import { prepared } from "./scram-verifier.ts"

const power = 15
const blockSize = 8
const parallel = 3
const keyLength = 32

/** A password that nobody guesses: 120 random bits. */
export function makeUpPassword(): string {
  return randomBytes(15).toString("base64url")
}

/** What is kept of a password: parameters, salt and hash as one text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, { power, blockSize, parallel })
  return ["scrypt", power, blockSize, parallel, salt.toString("base64"), key.toString("base64")].join("$")
}

/** Whether a password is the one that was hashed. */
export async function matchesHash(password: string, hash: string): Promise<boolean> {
  const [kind, n = "", r = "", p = "", salt = "", key = ""] = hash.split("$")
  const expected = Buffer.from(key, "base64")
  if (kind !== "scrypt" || expected.length !== keyLength) return false
  const cost = { power: Number(n), blockSize: Number(r), parallel: Number(p) }
  return timingSafeEqual(await derive(password, Buffer.from(salt, "base64"), cost), expected)
}

interface Cost {
  readonly power: number
  readonly blockSize: number
  readonly parallel: number
}

async function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const options: ScryptOptions = {
    N: 2 ** cost.power,
    r: cost.blockSize,
    p: cost.parallel,
    maxmem: 2 ** (cost.power + 8) * cost.blockSize,
  }
  return new Promise((resolve, reject) => {
    scrypt(prepared(password), salt, keyLength, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
