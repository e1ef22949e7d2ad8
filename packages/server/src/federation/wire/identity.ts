// Who a node or a coordinator is: an Ed25519 key in a file that only its operator's account may read. People
// compare fingerprints; programs keep the whole public key.

import { isPublicKey, Signer } from "@dosimeter/engine"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { z } from "zod"

/** A public key as it is sent. */
export const publicKeySchema = z
  .string()
  .max(60)
  .refine((text) => isPublicKey(text), "is no Ed25519 key")

/** Opens the key in a file, which is made if it is not there. */
export function openKeyFile(path: string): Signer {
  if (!existsSync(path)) makeKeyFile(path)
  return Signer.ofPem(readFileSync(path, "utf8"))
}

/** What people compare: 128 bits of the key's hash, such as 3f9a-02c1-… */
export function fingerprintOf(publicKey: string): string {
  const hash = createHash("sha256")
    .update("dosimeter/fingerprint/1\n")
    .update(publicKey, "utf8")
    .digest("hex")
  return (hash.slice(0, 32).match(/.{4}/g) ?? []).join("-")
}

function makeKeyFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  // Another process may have been first: its key stays.
  try {
    writeFileSync(path, Signer.make().toPem(), { mode: 0o600, flag: "wx" })
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  }
}
