// Wrong passwords in the audit trail: the first of an account, then the 5th, the 10th, the 100th and so on.
// Strangers can try names without end, so that of names without an account only the address is written down,
// and seldom.

import type { Accounts } from "./accounts.ts"
import type { AuditLog } from "../audit/audit-log.ts"

const written: readonly number[] = [1, 5, 10, 100, 1000, 10_000, 100_000]
const writtenOfAddresses: readonly number[] = [10, 100, 1000, 10_000, 100_000]

/** Writes failed tries down; keys are those of the limits: "user ada", "from 192.0.2.7". */
export function failedSignIns(accounts: Accounts, audit: AuditLog): (key: string, wrong: number) => void {
  const write = async (key: string, wrong: number): Promise<void> => {
    const [kind, who] = [key.split(" ", 1)[0], key.slice(key.indexOf(" ") + 1)]
    if (!(kind === "user" ? written : writtenOfAddresses).includes(wrong)) return
    const facts = { inARow: `${wrong}` }
    if (kind === "from") {
      return audit.write({
        who: "a stranger",
        what: "sign-in-failed",
        about: `address ${who.slice(0, 100)}`,
        facts,
      })
    }
    if ((await accounts.find(who)) === undefined) return
    return audit.write({ who, what: "sign-in-failed", about: `account ${who}`, facts })
  }
  // If it cannot be written down, the sign-in has failed all the same.
  return (key, wrong) => void write(key, wrong).catch(() => undefined)
}
