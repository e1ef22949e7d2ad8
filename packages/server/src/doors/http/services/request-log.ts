// One line of JSON for each request: method, route, status, time, account. Never SQL, parameters, bodies or
// values: there is no field for them.

import { pino, type Logger } from "pino"
import type { AnsweredRequest } from "./answered-request.ts"

/** What is written. */
export type LogLevel = "silent" | "warn" | "info"

/** Makes a log that writes lines. */
export function requestLog(level: LogLevel, write: (line: string) => void): (what: AnsweredRequest) => void {
  const log: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: levelWord } },
    { write },
  )
  return ({ requestId, method, route, status, ms, account, code, frames }) => {
    const line = { requestId, method, route, status, ms: Math.round(ms), account, code, frames }
    if (status >= 500) log.warn(line)
    else log.info(line)
  }
}

function levelWord(level: string): { readonly level: string } {
  return { level }
}
