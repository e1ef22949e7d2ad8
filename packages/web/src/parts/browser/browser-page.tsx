// The page in this browser, as far as renewing it needs.

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
      // A browser may forbid it: then see readSession.
    }
  },
  renew: () => location.reload(),
}

// Where nothing can be remembered, nothing is renewed: it could go on for ever.
function readSession(): string | null {
  try {
    sessionStorage.setItem(`${renewedName}.try`, "yes")
    return sessionStorage.getItem(renewedName)
  } catch {
    return "unknown"
  }
}
