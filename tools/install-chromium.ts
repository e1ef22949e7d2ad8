// Finds the browser for the browser tests, and installs it where the system allows. Playwright's own download
// is not used: the distribution's Chromium is signed, cached and patched by the distribution.

import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** The first Chromium on the PATH, if there is one. */
export function findChromium(): string | undefined {
  return ["chromium", "chromium-browser", "google-chrome"].map(findProgram).find((path) => path !== undefined)
}

/** Flags that keep Chromium quiet and let it start in a container. */
export const chromiumFlags: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/** Installs Chromium if need be. Returns nothing when there is one, or in one line why there is none. */
export function installChromium(): string | undefined {
  if (findChromium() !== undefined) return undefined
  if (findProgram("apt-get") === undefined)
    return "no Chromium on the PATH, and no apt-get to install it with"
  if (process.getuid?.() !== 0) return "no Chromium on the PATH; as root, run: apt-get install chromium"
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  console.log("installing Chromium with apt-get, once")
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", "chromium"],
  ]) {
    const { status, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8", timeout: 600_000 })
    if (status !== 0) {
      return `apt-get ${args[0]} failed: ${(stderr ?? "").trim().split("\n").at(-1)}`
    }
  }
  return findChromium() === undefined ? "apt-get installed Chromium, but it is not on the PATH" : undefined
}

function findProgram(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false // Not here: the next folder may have it.
      }
    })
}
