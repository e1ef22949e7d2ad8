// One connection: encryption, who it is, then a session. What a stranger can make the server do is bounded:
// a few messages, short ones, within seconds.

import { randomBytes, randomInt } from "node:crypto"
import type { Socket } from "node:net"
import { TLSSocket, type SecureContext } from "node:tls"
import { ByteReader } from "./wire/byte-reader.ts"
import { PgSession } from "./session/pg-session.ts"
import { ProtocolViolation } from "./wire/protocol-violation.ts"
import { MessageReader, type ClientMessage, type StartMessage } from "./wire/read-messages.ts"
import { ScramDialogue, ScramFailure, scramMechanism, scramPlusMechanism } from "./scram.ts"
import { SessionSettings } from "./session/session-settings.ts"
import type { WireAccess } from "./session/wire-dataset.ts"
import { errorFields, WireError } from "./wire/wire-error.ts"
import * as write from "./wire/write-messages.ts"

/** What connections of one server share. */
export interface Shared {
  readonly access: WireAccess
  /** With it connections can be encrypted; `required` refuses those that are not. */
  readonly tls: { readonly context: SecureContext; readonly binding: Buffer | undefined } | undefined
  readonly tlsRequired: boolean
  /** How long somebody may take to say who they are. */
  readonly strangerMs: number
  /** For the salts of names without an account. */
  readonly decoySecret: Buffer
  /** Open sessions by the number that cancels them. */
  readonly sessions: Map<number, Running>
}

/** A session that can be stopped by whoever knows its secret. */
export interface Running {
  readonly secret: Buffer
  readonly cancel: () => void
}

const minorNewest = 2
type Startup = Extract<StartMessage, { readonly kind: "startup" }>

/** Tells a client that its address has as many connections as it may, and closes. */
export function turnAway(socket: Socket): void {
  const error = new WireError("53300", "too many connections from this address", "close some of them first")
  socket.on("error", () => socket.destroy())
  const fields = errorFields(error, "", { severity: "FATAL", from: undefined })
  socket.end(write.errorResponse(fields), () => socket.destroy())
}

/** Serves one connection until it ends. Never throws. */
export async function serveConnection(socket: Socket, shared: Shared): Promise<void> {
  const connection = new Connection(socket, shared)
  try {
    await connection.run()
    connection.end()
  } catch (error) {
    connection.end(error)
  }
}

class Connection {
  #socket: Socket
  readonly #shared: Shared
  readonly #reader = new MessageReader()
  readonly #address: string
  #wake: () => void = () => {}
  #isOver = false
  #process = 0

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket
    this.#shared = shared
    this.#address = socket.remoteAddress ?? ""
    this.#listen(socket)
  }

  async run(): Promise<void> {
    const patience = setTimeout(() => this.#socket.destroy(), this.#shared.strangerMs)
    try {
      const startup = await this.#start()
      if (startup === undefined) return
      const user = await this.#authenticate(startup)
      clearTimeout(patience)
      await this.#serve(startup, user)
    } finally {
      clearTimeout(patience)
      this.#shared.sessions.delete(this.#process)
    }
  }

  /** Closes; says why, if there is a reason and anybody is still listening. */
  end(reason?: unknown): void {
    if (this.#socket.destroyed) return
    if (reason === undefined) this.#socket.end()
    else this.#socket.end(write.errorResponse(errorFields(reason, "", { severity: "FATAL", from: 0 })))
  }

  #listen(socket: Socket): void {
    socket.on("data", (chunk: Buffer) => {
      this.#reader.push(chunk)
      // What is not read yet is not taken from the network either.
      if (this.#reader.waiting > bufferMax) socket.pause()
      this.#wake()
    })
    const over = (): void => {
      this.#isOver = true
      this.#shared.sessions.get(this.#process)?.cancel()
      this.#wake()
    }
    socket.on("close", over)
    socket.on("end", over)
    socket.on("error", over)
  }

  /** The startup message, after encryption was settled; undefined if the client only wanted to cancel. */
  async #start(): Promise<Startup | undefined> {
    for (let tries = 0; tries < 3; tries += 1) {
      const message = await this.#wait(() => this.#reader.start())
      if (message === undefined) return undefined
      switch (message.kind) {
        case "startup":
          if (this.#shared.tlsRequired && !(this.#socket instanceof TLSSocket)) {
            throw new WireError("28000", "connections must be encrypted here", "connect with sslmode=require")
          }
          return message
        case "cancel":
          this.#cancel(message)
          return undefined
        case "gss":
          await this.#send(Buffer.from("N"))
          break
        case "ssl":
          await this.#encrypt()
          break
        default:
          message satisfies never
      }
    }
    throw new ProtocolViolation("no startup message came")
  }

  async #encrypt(): Promise<void> {
    const { tls } = this.#shared
    if (tls === undefined) return this.#send(Buffer.from("N"))
    // Bytes that arrive before the answer were sent unencrypted, perhaps by somebody else: they are refused.
    if (this.#reader.waiting > 0) throw new ProtocolViolation("something came before encryption began")
    const plain = this.#socket
    plain.removeAllListeners()
    plain.on("error", () => plain.destroy())
    plain.write("S")
    const secure = new TLSSocket(plain, { isServer: true, secureContext: tls.context })
    this.#socket = secure
    this.#listen(secure)
    await new Promise<void>((resolve, reject) => {
      secure.once("secure", resolve)
      secure.once("close", () => reject(new ProtocolViolation("encryption did not begin")))
    })
  }

  #cancel({ process: number, secret }: Extract<StartMessage, { readonly kind: "cancel" }>): void {
    const running = this.#shared.sessions.get(number)
    if (running?.secret.equals(secret) === true) running.cancel()
  }

  async #authenticate({ parameters }: Startup): Promise<string> {
    const { access, tls, decoySecret } = this.#shared
    const user = parameters.get("user") ?? ""
    if (user === "") throw new WireError("28000", "no user was named")
    const started = await access.begin(user, this.#address)
    if (started === undefined) {
      throw new WireError("28P01", "too many wrong passwords", "wait a few minutes, then try again")
    }
    const bindingData = this.#socket instanceof TLSSocket ? tls?.binding : undefined
    const offered = bindingData === undefined ? [scramMechanism] : [scramPlusMechanism, scramMechanism]
    try {
      await this.#send(write.authentication.sasl(offered))
      const verifier = await access.verifierOf(user)
      const first = new ByteReader(await this.#password())
      const mechanism = first.text()
      if (!offered.includes(mechanism)) throw new ScramFailure("another mechanism")
      const dialogue = new ScramDialogue(mechanism, {
        verifier,
        decoy: { secret: decoySecret, user },
        bindingData,
      })
      const answer = dialogue.first((first.field() ?? Buffer.alloc(0)).toString())
      await this.#send(write.authentication.saslContinue(answer))
      const final = dialogue.final((await this.#password()).toString())
      started.settle("right")
      await this.#send(write.authentication.saslFinal(final))
      await this.#send(write.authentication.ok())
      return user
    } catch (error) {
      if (!(error instanceof ScramFailure)) throw error
      started.settle("wrong")
      throw new WireError("28P01", `password authentication failed for user "${user}"`)
    } finally {
      // A client that leaves before its password was checked has guessed nothing.
      started.settle("left")
    }
  }

  async #password(): Promise<Buffer> {
    const message = await this.#wait(() => this.#reader.next())
    if (message?.kind !== "password") throw new ProtocolViolation("a password was expected")
    return message.bytes
  }

  async #serve({ minor, parameters }: Startup, user: string): Promise<void> {
    const { access, sessions } = this.#shared
    const dataset = await access.open(user, parameters.get("database") ?? user)
    const settings = new SessionSettings()
    for (const [name, value] of settingsOf(parameters)) settings.set(name, value)
    const unknown = [...parameters.keys()].filter((name) => name.startsWith("_pq_."))
    if (minor > minorNewest || unknown.length > 0) {
      await this.#send(write.negotiateVersion(Math.min(minor, minorNewest), unknown))
    }
    const session = new PgSession(dataset, settings, (bytes) => this.#send(bytes))
    this.#process = freeNumber(sessions)
    // Four bytes up to version 3.0, more since.
    const secret = randomBytes(minor === 0 ? 4 : 32)
    sessions.set(this.#process, { secret, cancel: () => session.cancel() })
    this.#reader.trust()
    for (const [name, value] of settings.reported) await this.#send(write.parameterStatus(name, value))
    await this.#send(write.backendKeyData(this.#process, secret))
    await session.ready()
    for (;;) {
      const message: ClientMessage | undefined = await this.#wait(() => this.#reader.next())
      if (message === undefined || message.kind === "terminate") return
      await session.handle(message)
    }
  }

  /** What a read gives, once enough bytes are there; undefined when there will be no more. */
  async #wait<T>(read: () => T | undefined): Promise<T | undefined> {
    for (;;) {
      const found = read()
      if (found !== undefined) return found
      if (this.#isOver) return undefined
      this.#socket.resume()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async #send(bytes: Buffer): Promise<void> {
    if (this.#isOver || this.#socket.write(bytes)) return
    await new Promise<void>((resolve) => {
      this.#socket.once("drain", resolve)
      this.#socket.once("close", resolve)
    })
  }
}

const bufferMax = 4_000_000

/** Settings that are sent with the startup message: by name, and as -c name=value in options. */
function settingsOf(parameters: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const own = [...parameters].filter(([name]) => !notSettings.has(name) && !name.startsWith("_pq_."))
  const words = (parameters.get("options") ?? "").match(/(?:\\.|\S)+/g) ?? []
  const options = words.flatMap((word) => {
    const [, name, value] = /^(?:-c|--)?([\w.]+)=(.*)$/.exec(word.replaceAll(/\\(.)/g, "$1")) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return [...own, ...options]
}

const notSettings: ReadonlySet<string> = new Set(["user", "database", "options", "replication"])

function freeNumber(sessions: ReadonlyMap<number, unknown>): number {
  for (;;) {
    const number = randomInt(1, 2 ** 31 - 1)
    if (!sessions.has(number)) return number
  }
}
