// What reloading needs to know about the page, read from the browser.

import type { PageAccess } from "./load-or-renew.ts"

const renewedName = "dosimeter.renewed"

/** The page in this browser. */
export const browserPage: PageAccess = {
  isReachable: async () =>
    fetch("/", { cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    ),
  wasRenewed: () => readSession() !== null,
  setRenewed: (isRenewed) => {
    try {
      if (isRenewed) sessionStorage.setItem(renewedName, "yes")
      else sessionStorage.removeItem(renewedName)
    } catch {
      // A browser may forbid storage; readSession then answers "unknown".
    }
  },
  renew: () => location.reload(),
}

// Without storage a page counts as reloaded already: otherwise it could be reloaded without end.
function readSession(): string | null {
  try {
    sessionStorage.setItem(`${renewedName}.try`, "yes")
    return sessionStorage.getItem(renewedName)
  } catch {
    return "unknown"
  }
}
