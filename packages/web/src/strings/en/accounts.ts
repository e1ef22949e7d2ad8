// The accounts, and one's own, in English.

/** Part of the English catalogue. */
export const accountsEn = {
  title: "Accounts",
  lead: "Who comes in, and as what. Who leaves is disabled, never removed: what they did keeps its name.",
  add: "Add an account",
  name: "Name",
  role: "Role",
  since: "Since",
  disabled: "Disabled",
  disable: "Disable",
  disableSure: (name: string) => `${name} can no longer come in, from now on.`,
  reset: "New password",
  password: "Password, shown once",
  passwordHelp: "Hand it over safely. It can be changed after signing in.",
  participant: "Whose data",
  participantHelp:
    "The person's id as it stands in the data, such as 4711. It is not looked up, and is not shown again.",
  link: "Link to a record",
  linkAnew: "Link anew",
  linkTitle: (name: string) => `Whose data is the account ${name} about?`,
  linkDone: (name: string) => `${name} is linked`,
  notLinked: "not linked",
  roleHelp: {
    owner: "sets the policy, makes accounts, opens studies",
    analyst: "proposes studies and asks",
    committee: "reviews studies",
    community: "says what people who are in the data think of studies; advises, decides nothing",
    participant: "sees and decides what the own data is used for",
    auditor: "sees everything that happened, changes nothing",
  },
}

/** Part of the English catalogue. */
export const accountEn = {
  title: "My account",
  lead: "Your password, and tokens with which programs ask in your name.",
  password: "Change the password",
  old: "Password so far",
  new: "New password",
  again: "New password once more",
  different: "The two are not the same.",
  changed: "The password is changed. All other sessions have ended.",
  tokens: "Tokens",
  tokensHelp:
    "A token may do what you may do. Give each program its own, so that it can be revoked without the others.",
  name: "What it is for",
  nameHelp: "Small letters, digits, hyphens; such as notebook.",
  days: "Days until it expires",
  add: "Make a token",
  shown: (name: string) => `${name}: the token, shown once`,
  shownHelp: "Keep it like a password. Programs send it as Authorization: Bearer.",
  none: "You have no tokens.",
  made: "Made",
  expires: "Expires",
  lastUsed: "Last used",
  never: "never",
  revoke: "Revoke",
  revoked: "Revoked",
  revokeSure: (name: string) => `${name} no longer works, from now on.`,
}
