// A small house that signs people in, by OpenID Connect over HTTP on this machine: discovery, codes with
// PKCE, signed identities. For tests.

import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

/** A running provider. */
export interface OpenIdProvider {
  readonly issuer: string
  /** What the next identity says. */
  claims: Readonly<Record<string, unknown>>
  /** Leaves the nonce out of the next identity, as somebody who replays one would. */
  forgetNonce: boolean
  close(): Promise<void>
}

/** The client that it knows. */
export const openIdClient = { id: "dosimeter", secret: "a secret of the two" } as const

/** Starts one. */
export async function openIdProvider(): Promise<OpenIdProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const codes = new Map<string, URLSearchParams>()
  const signed = (payload: object): string => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")
    const body = `${part({ alg: "RS256", kid: "one", typ: "JWT" })}.${part(payload)}`
    return `${body}.${createSign("RSA-SHA256").update(body).sign(privateKey, "base64url")}`
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", provider.issuer)
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return reply(response, configurationOf(provider.issuer))
      case "/keys":
        return reply(response, {
          keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256" }],
        })
      case "/authorize": {
        const code = randomUUID()
        codes.set(code, url.searchParams)
        const back = new URL(url.searchParams.get("redirect_uri") ?? "")
        back.searchParams.set("code", code)
        back.searchParams.set("state", url.searchParams.get("state") ?? "")
        response.writeHead(302, { Location: back.href }).end()
        return
      }
      case "/token": {
        const sent = new URLSearchParams(await text(request))
        const asked = codes.get(sent.get("code") ?? "")
        codes.delete(sent.get("code") ?? "")
        const challenge = createHash("sha256")
          .update(sent.get("code_verifier") ?? "")
          .digest("base64url")
        const isRight =
          asked?.get("code_challenge") === challenge && sent.get("client_secret") === openIdClient.secret
        if (!isRight) return reply(response, { error: "invalid_grant" }, 400)
        const now = Math.floor(Date.now() / 1000)
        const nonce = provider.forgetNonce ? {} : { nonce: asked.get("nonce") }
        const identity = { iss: provider.issuer, aud: openIdClient.id, iat: now, exp: now + 60, ...nonce }
        return reply(response, {
          access_token: randomUUID(),
          token_type: "Bearer",
          id_token: signed({ ...identity, ...provider.claims }),
        })
      }
      default:
        return reply(response, {}, 404)
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const provider: OpenIdProvider = {
    issuer: `http://127.0.0.1:${port}`,
    claims: {},
    forgetNonce: false,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
  return provider
}

function reply(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value))
}

function configurationOf(issuer: string): object {
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
