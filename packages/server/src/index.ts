// The public names of @dosimeter/server.

export { serverErrors, type ServerErrorCode } from "./errors.ts"
export { runCommand } from "./main.ts"
