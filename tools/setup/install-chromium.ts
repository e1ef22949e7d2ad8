// Finds the browser for the browser tests, and installs it where the system allows. Playwright's own download
// is not used: the distribution's Chromium is signed, cached and patched by the distribution.

import { findProgram, installDebian } from "./install-debian.ts"

/** The first Chromium on the PATH, if there is one. */
export function findChromium(): string | undefined {
  return ["chromium", "chromium-browser", "google-chrome"]
    .map((name) => findProgram(name))
    .find((path) => path !== undefined)
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
  return findChromium() === undefined ? installDebian("chromium") : undefined
}
