// The frame: menu, roles, what every screen says, in English.

/** Part of the English catalogue. */
export const appEn = {
  name: "Dosimeter",
  idea: "Ask about the group. Each person in it gets a metered dose.",
  skip: "Skip to the content",
  menu: "Menu",
  close: "Close",
  mainMenu: "Screens",
  signOut: "Sign out",
  language: "Language",
  theme: "Colours",
  themes: { auto: "Auto", light: "Light", dark: "Dark" },
  apiDocs: "API",
  transparency: "Public page",
  notFound: "There is no such page",
  notFoundHelp: "The address may be old, or your account may not see this page.",
  back: "Back",
  more: "Show more",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  dismiss: "Dismiss",
  tryAgain: "Try again",
  loading: "Loading",
  optional: "optional",
  yes: "yes",
  no: "no",
}

/** Part of the English catalogue. */
export const navEn = {
  ask: "Ask",
  synthetic: "Synthetic data",
  models: "Models",
  budget: "Budget",
  data: "Datasets",
  studies: "Studies",
  campaigns: "Campaigns",
  reviews: "Reviews",
  inbox: "Inbox",
  jobs: "Jobs",
  sites: "Sites",
  voices: "Proposals",
  releases: "Releases",
  consent: "My data",
  audit: "Audit",
  accounts: "Accounts",
  advise: "Adviser",
  lab: "Lab",
  account: "My account",
}

/** Part of the English catalogue. */
export const rolesEn = {
  owner: "owner",
  analyst: "analyst",
  committee: "committee",
  community: "community",
  participant: "participant",
  auditor: "auditor",
}
