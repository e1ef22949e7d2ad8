// The surroundings of a real process: its streams, its terminal, its folder, and Ctrl-C.

import type { CommandContext, Terminal } from "./session.ts"

/** The variable of the environment that names the store for all commands. */
const storeVariable = "DOSIMETER_STORE"

/** The context of this process. */
export function processContext(): CommandContext {
  const { stdin, stdout, stderr, env } = process
  // A reader that has seen enough, such as head, closes the pipe.
  stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 5))
  const underNpm = env["npm_lifecycle_event"] === "dosimeter" || env["npm_lifecycle_event"] === "demo"
  const terminal = terminalOf()
  const store = env[storeVariable]
  return {
    // npm run goes to the root of the checkout; paths are meant from where it was typed.
    folder: (underNpm ? env["INIT_CWD"] : undefined) ?? process.cwd(),
    out: (text) => stdout.write(text),
    error: (text) => stderr.write(text),
    input: stdin,
    ...(terminal === undefined ? {} : { terminal }),
    called: underNpm ? "npm run -s dosimeter --" : "dosimeter",
    signal: stopOnInterrupt(),
    ...(store === undefined ? {} : { store }),
  }
}

function terminalOf(): Terminal | undefined {
  const { stdin, stdout, env } = process
  if (!stdout.isTTY) return undefined
  return {
    columns: stdout.columns,
    plain: (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb",
    ...(stdin.isTTY ? { prompt: stdout } : {}),
  }
}

/** The first Ctrl-C stops the question or the server, the second the process. So does the system's signal. */
function stopOnInterrupt(): AbortSignal {
  const controller = new AbortController()
  process.once("SIGINT", () => {
    controller.abort()
    process.once("SIGINT", () => process.exit(130))
  })
  process.once("SIGTERM", () => controller.abort())
  return controller.signal
}
