// Who may do what. A role is a list of rights, and nothing is allowed that no right names.

/** The roles. */
export const roles = ["owner", "analyst", "committee", "community", "participant", "auditor"] as const

/** What somebody is to a dataset. */
export type Role = (typeof roles)[number]

/** What can be done. */
export const rights = [
  "ask",
  "see-catalog",
  "see-budget",
  "see-releases",
  "see-studies",
  "propose-studies",
  "review",
  "voice",
  "review-releases",
  "activate-studies",
  "suspend-studies",
  "see-audit",
  "manage-accounts",
  "consent",
  "manage-consent",
  "operate",
] as const

/** Something that can be done. */
export type Right = (typeof rights)[number]

const seen: readonly Right[] = ["see-catalog", "see-budget", "see-releases", "see-studies"]

const rightsOf: Readonly<Record<Role, readonly Right[]>> = {
  owner: [
    ...seen,
    "ask",
    "propose-studies",
    "review-releases",
    "activate-studies",
    "suspend-studies",
    "see-audit",
    "manage-accounts",
    "manage-consent",
    "operate",
  ],
  analyst: [...seen, "ask", "propose-studies"],
  committee: [...seen, "review", "review-releases", "suspend-studies", "see-audit"],
  community: ["voice"],
  participant: ["consent"],
  auditor: [...seen, "see-audit"],
}

/** Whether a role has a right. */
export function may(role: Role, right: Right): boolean {
  return rightsOf[role].includes(right)
}

/** The role of a name, if it is one. */
export function roleNamed(name: string): Role | undefined {
  return roles.find((role) => role === name)
}

/** What a person may do, or a token of theirs: never more than the role, nor than the token was made for. */
export function rightsOfCaller(role: Role, token?: { readonly rights: readonly Right[] }): readonly Right[] {
  return (token?.rights ?? rights).filter((right) => may(role, right))
}

/** The rights to what more than one door offers. Each door looks here, so that none asks for less. */
export const rightTo = {
  ask: "ask",
  explain: "ask",
  seeTables: "see-catalog",
  seeBudget: "see-budget",
} as const satisfies Readonly<Record<string, Right>>
