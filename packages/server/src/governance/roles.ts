// Who may do what. A role is a list of rights, and nothing is allowed that no right names.

/** The roles. */
export const roles = ["owner", "analyst", "committee", "participant", "auditor"] as const

/** What somebody is to a dataset. */
export type Role = (typeof roles)[number]

/** What can be done. */
export type Right =
  | "ask"
  | "see-budget"
  | "see-releases"
  | "see-audit"
  | "manage-accounts"
  | "review"
  | "consent"
  | "manage-consent"

const rights: Readonly<Record<Role, readonly Right[]>> = {
  owner: ["ask", "see-budget", "see-releases", "see-audit", "manage-accounts", "manage-consent"],
  analyst: ["ask", "see-budget", "see-releases"],
  committee: ["see-budget", "see-releases", "see-audit", "review"],
  participant: ["consent"],
  auditor: ["see-budget", "see-releases", "see-audit"],
}

/** Whether a role has a right. */
export function may(role: Role, right: Right): boolean {
  return rights[role].includes(right)
}

/** The role of a name, if it is one. */
export function roleNamed(name: string): Role | undefined {
  return roles.find((role) => role === name)
}
