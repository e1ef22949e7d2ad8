// A small house that signs people in, by OpenID Connect over HTTP on this machine, as a process of its own:
// see openid-provider-process.ts. For tests.

import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"

/** What the provider does from now on; without any of it, what is right. */
export interface Behaviour {
  /** What identities say, over what they say anyway. */
  readonly claims: Readonly<Record<string, unknown>>
  /** The nonce of identities: the right one, none, or this. */
  readonly nonce?: "forgotten" | { readonly is: string }
  /** How identities are signed: with the key that is published, or in another way. */
  readonly signed?:
    | "none"
    | "public-key-as-secret"
    | "client-secret"
    | "by-a-stranger"
    | "with-the-old-key"
    | "not"
  /** What the token endpoint says instead of an identity. */
  readonly tokens?: "error" | "crash" | "page" | "without-identity"
  /** The parameter iss on the way back. */
  readonly iss?: string
  /** Takes every code verifier, and every code as often as it comes. */
  readonly careless?: boolean
  /** What the configuration says, over what it says anyway. */
  readonly configuration?: Readonly<Record<string, unknown>>
}

/** What can be told to the process. */
export type Told = { readonly behave: Behaviour } | { readonly rotate: true }

/** A running provider. */
export interface OpenIdProvider {
  readonly issuer: string
  behave(behaviour: Behaviour): Promise<void>
  /** Makes a new key, and publishes only that one. */
  rotate(): Promise<void>
  close(): Promise<void>
}

/** The client that it knows. */
export const openIdClient = { id: "dosimeter", secret: "a secret of the two" } as const

/** Starts one. */
export async function openIdProvider(): Promise<OpenIdProvider> {
  const file = join(import.meta.dirname, "openid-provider-process.ts")
  const child = fork(file, { execArgv: ["--import", "tsx"], stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const [issuer]: readonly unknown[] = await once(child, "message")
  if (typeof issuer !== "string") throw new Error("the provider did not say where it is")
  const tell = async (told: Told): Promise<void> => {
    const done = once(child, "message")
    child.send(told)
    await done
  }
  return {
    issuer,
    behave: (behave) => tell({ behave }),
    rotate: () => tell({ rotate: true }),
    close: async () => {
      const over = once(child, "exit")
      child.disconnect()
      await over
    },
  }
}
