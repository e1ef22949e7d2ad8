// The steps of something long as server-sent events. What is sent before the end depends on the plan and the
// ledger only; the end comes when the engine lets the answer go, which is where slots are kept.

import { problemOf } from "./http-error.ts"

/** Sends one step. */
export type SendStep = (event: string, data: unknown) => void

const aliveMs = 15_000

/** Runs, and streams what is sent. Goes on to the end when nobody listens any more. */
export function progressReply(run: (send: SendStep) => Promise<void>, sql: string): Response {
  const encoder = new TextEncoder()
  let isOver = false
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (text: string): void => {
        if (!isOver) controller.enqueue(encoder.encode(text))
      }
      const send: SendStep = (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      const alive = setInterval(() => write(": still at it\n\n"), aliveMs)
      void run(send)
        .catch((error: unknown) => send("problem", problemOf(error, sql)))
        .finally(() => {
          clearInterval(alive)
          if (!isOver) controller.close()
          isOver = true
        })
    },
    cancel: () => {
      isOver = true
    },
  })
  return new Response(stream, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } })
}
