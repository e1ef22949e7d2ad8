// The network under the client. Browsers throw the same class of error for a network that fails and for a
// mistake in a program, so a failed request is named here, where it is known to be one.

import { unreachable } from "./trouble.ts"

/** The statuses of replies that have no body. */
const withoutContent: ReadonlySet<number> = new Set([204, 205, 304])

/** Sends a request; a server that cannot be reached, and a reply that breaks off, are trouble with a name. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  const response = await named(async () => fetch(url, init))
  const { body, status, statusText, headers } = response
  // Chromium gives a reply without content an empty body, with which no reply can be made.
  if (body === null || withoutContent.has(status)) return response
  if (headers.get("content-type")?.startsWith("text/event-stream") === true) {
    return new Response(endsWhenBroken(body), { status, statusText, headers })
  }
  // Read here: a connection that breaks now makes the reading fail, with the same class of error.
  const text = await named(async () => response.text())
  return new Response(text, { status, statusText, headers })
}

async function named<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    // A request that was stopped on purpose is another class of error, and stays what it is.
    if (error instanceof TypeError) throw unreachable(error)
    throw error
  }
}

/** The same stream, which ends where the connection breaks: whoever reads it knows what has to come last. */
function endsWhenBroken(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    pull: async (controller) => {
      const read = await reader.read().catch(() => undefined)
      if (read === undefined || read.done) controller.close()
      else controller.enqueue(read.value)
    },
    cancel: async (reason) => reader.cancel(reason),
  })
}
