// The public names of @dosimeter/server.

export { processContext } from "./cli/process-context.ts"
export type { CommandContext, Terminal } from "./cli/session.ts"
export { ApiError, Client, type ClientOptions } from "./http/client.ts"
export { serverErrors, type ServerErrorCode } from "./errors.ts"
export { runCommand } from "./main.ts"
