// The texts of one's own account, in English.

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
