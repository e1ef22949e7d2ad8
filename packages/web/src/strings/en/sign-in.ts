// Signing in, and the first account of a new server, in English.

/** Part of the English catalogue. */
export const signInEn = {
  title: "Sign in",
  name: "Name",
  password: "Password",
  go: "Sign in",
  openId: "Sign in with your organisation",
  or: "or",
  help: "Accounts are made by the owner of the data.",
  publicPage: "See what the data is used for",
}

/** Part of the English catalogue. */
export const setUpEn = {
  title: "Welcome. Nobody has an account yet.",
  body: "The first account belongs to the owner of the data. The server printed a code in its terminal when it started; with it you can make the account here.",
  code: "Code from the terminal",
  name: "Your name",
  nameHelp: "Lower-case letters and digits, such as ada.",
  password: "Choose a password",
  passwordHelp: "Twelve characters or more. Long is what helps.",
  go: "Make the account",
  done: "You are in. Next: make accounts for a committee and for analysts.",
}
