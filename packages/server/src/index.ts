// The public names of @dosimeter/server.

export { processContext } from "./doors/cli/session/process-context.ts"
export type { CommandContext, Terminal } from "./doors/cli/session/session.ts"
export { ApiError, Client, type ClientOptions } from "./doors/http/contract/client.ts"
export { serverErrors, type ServerErrorCode } from "./errors.ts"
export { runCommand } from "./main.ts"
