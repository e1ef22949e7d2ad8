// Where anchors lie if the policy names no place: in the user's own folder for such things, which a backup of
// the state folder does not bring back. Each ledger has its own there, named by its id.

import { accessSync, constants, existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

/** The folder of anchors, or why there is none to rely on. */
export type AnchorHome =
  | { readonly folder: string }
  /** `container`: what is written outside of volumes is gone when it is made anew. `unwritable`: no home folder. */
  | { readonly folder: undefined; readonly why: "container" | "unwritable" }

/** What is looked at. */
export interface HomeContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Whether the process runs in a container. */
  readonly isContainer: boolean
}

/** The folder of anchors for this user; it is made if it is not there. */
export function anchorHome(context: HomeContext = thisProcess()): AnchorHome {
  const { env, isContainer } = context
  const named = env["XDG_STATE_HOME"] ?? ""
  // An owner who names a folder has chosen a volume for it.
  if (isContainer && named === "") return { folder: undefined, why: "container" }
  const folder = join(named === "" ? stateHome(context) : named, "dosimeter", "anchors")
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK)
    return { folder }
  } catch {
    // A read-only or missing home folder is ordinary in services.
    return { folder: undefined, why: "unwritable" }
  }
}

function stateHome({ env, platform, home }: HomeContext): string {
  if (platform === "win32") return env["LOCALAPPDATA"] ?? join(home, "AppData", "Local")
  if (platform === "darwin") return join(home, "Library", "Application Support")
  return join(home, ".local", "state")
}

function thisProcess(): HomeContext {
  const { env, platform } = process
  const isContainer =
    existsSync("/.dockerenv") ||
    existsSync("/run/.containerenv") ||
    env["KUBERNETES_SERVICE_HOST"] !== undefined
  return { env, platform, home: homedir(), isContainer }
}
