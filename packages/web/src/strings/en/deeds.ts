// What can stand in the audit trail, in plain English, by the words that the server writes there.

const texts = {
  "question-asked": "asked a question",
  "question-answered": "got an answer",
  "question-refused": "was refused an answer",
  incident: "asked what failed after it was charged",
  "incident-acknowledged": "acknowledged what had failed",
  "release-held": "an answer waits for approval",
  "release-reviewed": "decided about a waiting answer",
  "study-proposed": "proposed a study",
  "study-edited": "changed a draft of a study",
  "study-submitted": "submitted a study",
  "study-reviewed": "reviewed a study",
  "study-airlocked": "demanded approval of each answer",
  "study-activated": "opened a study",
  "study-suspended": "suspended a study",
  "study-resumed": "let a study go on",
  "study-closed": "closed a study",
  "budget-requested": "asked for more budget",
  "budget-decided": "decided about more budget",
  "ledger-decision-requested": "asked how to go on with the ledger",
  "ledger-decided": "decided how to go on with the ledger",
  "consent-changed": "changed consent",
  "risk-report-made": "made a risk report",
  "campaign-created": "planned a campaign",
  "campaign-open": "published a campaign",
  "campaign-paused": "paused a campaign",
  "campaign-closed": "closed a campaign",
  "account-added": "added an account",
  "account-linked": "linked an account to a record",
  "account-disabled": "disabled an account",
  "password-changed": "set a password",
  "role-changed": "changed a role",
  "token-added": "made a token",
  "token-revoked": "revoked a token",
  "sign-in-failed": "failed to sign in",
}

/** The same deeds in any language. */
export type DeedTexts = Readonly<Record<keyof typeof texts, string>>

/** In English. */
export const deedsEn: DeedTexts = texts
