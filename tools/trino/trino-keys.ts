// Keys, certificates, a password and a token for the Trino of the tests, made anew for each start. All of
// them are of the user `reader`.

import { execFileSync } from "node:child_process"
import { createSign, generateKeyPairSync, pbkdf2Sync, randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** Whom all of them let in. */
export const reader = "reader"

/**
 * Writes ca.pem, server.pem (certificate and key), client.pem, client.key, password, password.db, token and
 * token.pub into a folder.
 */
export function makeKeys(folder: string): void {
  const openssl = (...args: readonly string[]): void => {
    execFileSync("openssl", args, { cwd: folder, stdio: "ignore" })
  }
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-sha256"]
  openssl("req", "-x509", ...curve, "-days", "2", "-subj", "/CN=test", "-keyout", "ca.key", "-out", "ca.pem")
  const sign = (name: string, subject: string, more: string): void => {
    writeFileSync(join(folder, `${name}.ext`), more)
    openssl("req", ...curve, "-subj", subject, "-keyout", `${name}.key`, "-out", `${name}.csr`)
    const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-sha256"]
    openssl("x509", "-req", ...by, "-extfile", `${name}.ext`, "-in", `${name}.csr`, "-out", `${name}.crt`)
  }
  sign("server", "/CN=localhost", "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
  sign("client", `/CN=${reader}`, "extendedKeyUsage=clientAuth\n")
  execFileSync("sh", ["-c", "cat server.crt server.key > server.pem; cp client.crt client.pem"], {
    cwd: folder,
  })
  makePassword(folder)
  makeToken(folder)
}

function makePassword(folder: string): void {
  const password = randomBytes(12).toString("hex")
  const salt = randomBytes(16)
  // The form of Trino's file of passwords: PBKDF2 with HMAC-SHA1.
  const hash = pbkdf2Sync(password, salt, 1000, 32, "sha1")
  writeFileSync(join(folder, "password"), `${password}\n`)
  writeFileSync(
    join(folder, "password.db"),
    `${reader}:1000:${salt.toString("hex")}:${hash.toString("hex")}\n`,
  )
}

function makeToken(folder: string): void {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ sub: reader, iat: now, exp: now + 86_400 })}`
  const signature = createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")
  writeFileSync(join(folder, "token"), `${text}.${signature}\n`)
  writeFileSync(join(folder, "token.pub"), publicKey.export({ type: "spki", format: "pem" }))
}
