// The data that binds SCRAM to a connection (tls-server-end-point, RFC 5929): a hash of the server's
// certificate by the hash of its own signature, and SHA-256 where that is too old.

import { createHash } from "node:crypto"

/** The binding data of a certificate in DER; undefined where its signature has no hash of its own. */
export function endPointBinding(certificate: Buffer): Buffer | undefined {
  const hash = hashes.get(signatureOf(certificate))
  return hash === undefined ? undefined : createHash(hash).update(certificate).digest()
}

/** By object identifier, in hexadecimal. */
const hashes: ReadonlyMap<string, string> = new Map([
  ["2a864886f70d010104", "sha256"], // md5WithRSAEncryption
  ["2a864886f70d010105", "sha256"], // sha1WithRSAEncryption
  ["2a864886f70d01010b", "sha256"], // sha256WithRSAEncryption
  ["2a864886f70d01010c", "sha384"],
  ["2a864886f70d01010d", "sha512"],
  ["2a8648ce3d040302", "sha256"], // ecdsa-with-SHA256
  ["2a8648ce3d040303", "sha384"],
  ["2a8648ce3d040304", "sha512"],
])

/** Certificate ::= SEQUENCE { tbsCertificate, SEQUENCE { algorithm OBJECT IDENTIFIER, ... }, signature }. */
function signatureOf(certificate: Buffer): string {
  const outer = elementAt(certificate, 0)
  const signed = elementAt(certificate, outer.start)
  const algorithm = elementAt(certificate, signed.end)
  const identifier = elementAt(certificate, algorithm.start)
  return certificate.subarray(identifier.start, identifier.end).toString("hex")
}

interface Element {
  readonly start: number
  readonly end: number
}

function elementAt(bytes: Buffer, at: number): Element {
  const first = bytes[at + 1] ?? 0
  if (first < 0x80) return { start: at + 2, end: at + 2 + first }
  const count = first & 0x7f
  const start = at + 2 + count
  return { start, end: start + bytes.readUIntBE(at + 2, count) }
}
