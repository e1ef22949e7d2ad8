// Calls of the server, through the client that is typed by the server's contract.

import { ApiError, Client, type CallOptions } from "@dosimeter/server/client"
import { reach } from "./reach.ts"
import { ServerTrouble } from "./trouble.ts"

const client = new Client({ fetch: reach })

type Name = Parameters<typeof client.call>[0]

type CallOf<N extends Name> = Parameters<typeof client.call<N>>

/** What a route gives back. */
export type Reply<N extends Name> = Awaited<ReturnType<typeof client.call<N>>>

/** Calls a route by its name in the contract. */
export async function call<N extends Name>(...given: CallOf<N>) {
  return explained(async () => client.call<N>(...given))
}

/** The reply of a route as text, such as CSV. */
export async function callText<N extends Name>(...given: CallOf<N>): Promise<string> {
  return explained(async () => client.text<N>(...given))
}

/** A question as it is sent. */
export type QuestionBody = Parameters<typeof client.steps>[0]["body"]

/** What somebody wants synthetic rows of, as it is sent. */
export type SyntheticBody = NonNullable<NonNullable<CallOf<"priceSynthetic">[1]>["body"]>

/** What somebody wants a model of, as it is sent. */
export type ModelBody = NonNullable<NonNullable<CallOf<"priceModel">[1]>["body"]>

/** What a question can go through, in order. */
export type StepName = "planned" | "charged" | "reading" | "released"

type StepOptions = CallOptions & { readonly onStep: (step: StepName) => void }

/** Asks, tells each step as it happens, and gives the answer. */
export async function askInSteps(body: QuestionBody, options: StepOptions): Promise<Reply<"ask">> {
  return inSteps<Reply<"ask">>((more) => client.stepsOf("ask", { body }, more), options)
}

/** Trains a model, tells each step as it happens, and gives the model. */
export async function trainInSteps(body: ModelBody, options: StepOptions): Promise<Reply<"trainModel">> {
  return inSteps<Reply<"trainModel">>((more) => client.stepsOf("trainModel", { body }, more), options)
}

async function inSteps<Answer>(
  start: (options: CallOptions) => ReturnType<typeof client.stepsOf>,
  { onStep, ...options }: StepOptions,
): Promise<Answer> {
  return explained(async () => {
    for await (const { event, data } of start(options)) {
      if (event === "problem") throw new ServerTrouble(data as ConstructorParameters<typeof ServerTrouble>[0])
      if (event === "planned" || event === "charged" || event === "reading") onStep(event)
      // The server checks this event against the same schema as a plain reply.
      if (event === "released") return data as Answer
    }
    throw new ServerTrouble({
      kind: "unavailable",
      code: "web/no-answer",
      message: "the connection ended before the answer came",
      help: "ask again: an answer that was paid for is in the record, and free",
    })
  })
}

/** Whether an error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ServerTrouble && error.status === 401
}

async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    // The one place where the client's errors become what screens show.
    if (!(error instanceof ApiError)) throw error
    const trouble = new ServerTrouble(error.problem, error.status)
    // Only this code ends the session: a wrong password has status 401 too.
    if (trouble.trouble.code === "request/not-signed-in") listeners.forEach((listener) => listener())
    throw trouble
  }
}

const listeners = new Set<() => void>()

/** Calls the listener whenever the server says that nobody is signed in; returns a function that stops it. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** A random key for one attempt: the server charges requests with the same key once. */
export function attemptKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}
