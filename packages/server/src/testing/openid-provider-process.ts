// The process of openid-provider.ts: discovery, codes with PKCE, signed identities; right, or wrong as told.

import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  randomUUID,
  type KeyObject,
} from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { openIdClient, type Behaviour, type Told } from "./openid-provider.ts"

interface Key {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/**
 * A new pair of keys, read from its text. In Node 20 an export as JWK locks the key, and a collection of
 * garbage meanwhile waits for that lock if it collects the job that made the key: the process never goes on.
 */
function makeKey(kid: string): Key {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { format: "pem", type: "pkcs8" },
    publicKeyEncoding: { format: "pem", type: "spki" },
  })
  return { kid, privateKey: createPrivateKey(privateKey), publicKey: createPublicKey(privateKey) }
}

const stranger = makeKey("one")
let [current, old] = [makeKey("one"), makeKey("none")]
let behaviour: Behaviour = { claims: {} }
let issuer = ""
const codes = new Map<string, URLSearchParams>()

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

function signed(payload: object): string {
  const hmac = (secret: string): string => {
    const body = `${part({ alg: "HS256", kid: current.kid, typ: "JWT" })}.${part(payload)}`
    return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`
  }
  const rsa = ({ kid, privateKey }: Key): string => {
    const body = `${part({ alg: "RS256", kid, typ: "JWT" })}.${part(payload)}`
    return `${body}.${createSign("RSA-SHA256").update(body).sign(privateKey, "base64url")}`
  }
  switch (behaviour.signed) {
    case undefined:
      return rsa(current)
    case "none":
      return `${part({ alg: "none", typ: "JWT" })}.${part(payload)}.`
    case "not":
      return rsa(current).replace(/\.[^.]*$/, ".AAAA")
    case "public-key-as-secret":
      return hmac(current.publicKey.export({ format: "pem", type: "spki" }).toString())
    case "client-secret":
      return hmac(openIdClient.secret)
    case "by-a-stranger":
      return rsa({ ...stranger, kid: current.kid })
    case "with-the-old-key":
      return rsa(old)
    default:
      return behaviour.signed satisfies never
  }
}

function sendBack(url: URL, response: ServerResponse): void {
  const code = randomUUID()
  codes.set(code, url.searchParams)
  const back = new URL(url.searchParams.get("redirect_uri") ?? "")
  back.searchParams.set("code", code)
  back.searchParams.set("state", url.searchParams.get("state") ?? "")
  if (behaviour.iss !== undefined) back.searchParams.set("iss", behaviour.iss)
  response.writeHead(302, { Location: back.href }).end()
}

async function giveTokens(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = new URLSearchParams(await text(request))
  const asked = codes.get(sent.get("code") ?? "")
  if (behaviour.careless !== true) codes.delete(sent.get("code") ?? "")
  const challenge = createHash("sha256")
    .update(sent.get("code_verifier") ?? "")
    .digest("base64url")
  const isVerified =
    asked?.get("code_challenge_method") === "S256" && asked.get("code_challenge") === challenge
  const isRight =
    sent.get("client_secret") === openIdClient.secret && (isVerified || behaviour.careless === true)
  if (asked === undefined || !isRight) return reply(response, { error: "invalid_grant" }, 400)
  switch (behaviour.tokens) {
    case "error":
      return reply(
        response,
        { error: "temporarily_unavailable", error_description: "ada owes us money" },
        400,
      )
    case "crash":
      return void response.destroy()
    case "page":
      return void response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Hello")
    default:
  }
  const now = Math.floor(Date.now() / 1000)
  const { nonce } = behaviour
  const said = nonce === undefined ? (asked.get("nonce") ?? "") : nonce === "forgotten" ? undefined : nonce.is
  const identity = { iss: issuer, aud: openIdClient.id, iat: now, exp: now + 60, nonce: said }
  const token = { id_token: signed({ ...identity, ...behaviour.claims }) }
  reply(response, {
    access_token: randomUUID(),
    token_type: "Bearer",
    ...(behaviour.tokens === "without-identity" ? {} : token),
  })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", issuer)
  switch (url.pathname) {
    case "/.well-known/openid-configuration":
      return reply(response, { ...configuration(), ...behaviour.configuration })
    case "/keys": {
      const { kid, publicKey } = current
      return reply(response, { keys: [{ ...publicKey.export({ format: "jwk" }), kid, alg: "RS256" }] })
    }
    case "/authorize":
      return sendBack(url, response)
    case "/token":
      return giveTokens(request, response)
    default:
      return reply(response, {}, 404)
  }
}

function reply(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value))
}

function configuration(): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
  }
}

process.on("message", (told: Told) => {
  if ("behave" in told) behaviour = told.behave
  else [current, old] = [makeKey(randomUUID()), current]
  process.send?.("done")
})
process.on("disconnect", () => process.exit(0))
const server = createServer((request, response) => void answer(request, response))
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  issuer = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  process.send?.(issuer)
})
