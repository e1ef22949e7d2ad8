// The public names of @dosimeter/engine.

export { discover, discoverSource } from "./dataset/discover.ts"
export { openSource, type OpenSource } from "./dataset/open-source.ts"
export { engineErrors, type EngineErrorCode } from "./errors.ts"
