// Signing in and out, who one is, the first account, accounts and tokens.

import { z } from "zod"
import { rights, roles } from "../../../people/roles.ts"
import { accountName, day, time } from "./common.ts"
import { routes } from "./route.ts"

const role = z.enum(roles).meta({ id: "Role" })
const right = z.enum(rights).meta({ id: "Right" })
const password = z.string().min(1).max(1000)

const participant = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "The value of the unit's column.", example: "4711" })

const place = z.enum(["house", "site", "coordinator"]).optional().meta({
  description: "What answers: a house, one that is a site of a study over several, or its coordinator.",
})

const me = z
  .object({
    name: accountName,
    role,
    rights: z.array(right).readonly().meta({ description: "What this session or token may do." }),
    by: z.enum(["session", "token"]),
    place,
    csrfToken: z
      .string()
      .nullable()
      .meta({ description: "To be sent as the header X-CSRF-Token with everything that changes something." }),
  })
  .meta({ id: "Me" })

const person = z
  .object({
    name: accountName,
    role,
    createdAt: time,
    disabledAt: time.nullable(),
    linked: z
      .boolean()
      .nullable()
      .meta({ description: "Of participants: whether it is known whose data the account is about." }),
  })
  .meta({ id: "Person" })

const token = z
  .object({
    id: z.string(),
    name: z.string(),
    account: accountName,
    rights: z.array(right).readonly(),
    createdAt: time,
    expiresAt: time,
    lastUsed: day.nullable(),
    revokedAt: time.nullable(),
  })
  .meta({ id: "Token" })

const wantedToken = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,62}$/)
    .meta({ description: "What it is for.", example: "notebook" }),
  rights: z.array(right).readonly().optional().meta({ description: "All of the account's if left out." }),
  days: z.int().min(1).max(366).optional().meta({ description: "Until it expires: 90 if left out." }),
})

/** The routes about who somebody is. */
export const identityRoutes = routes({
  signInMethods: {
    method: "GET",
    path: "/api/v1/sign-in",
    access: "public",
    summary: "How one can sign in here",
    reply: z.object({
      password: z.boolean(),
      openId: z.boolean(),
      setUp: z.boolean().meta({ description: "Nobody has an account yet: the first one can be made." }),
      place,
    }),
  },
  setUp: {
    method: "POST",
    path: "/api/v1/set-up",
    access: "public",
    summary: "Make the first account, an owner, with the code that the server printed when it started",
    body: z.object({ code: z.string().max(100), name: accountName, password }),
    reply: me,
    status: 201,
  },
  signIn: {
    method: "POST",
    path: "/api/v1/sign-in",
    access: "public",
    summary: "Begin a session",
    about: "The session is a cookie. Programs had better use a token.",
    body: z.object({ name: accountName, password }),
    reply: me,
  },
  signOut: {
    method: "POST",
    path: "/api/v1/sign-out",
    access: "signed-in",
    summary: "End the session",
    status: 204,
  },
  whoAmI: {
    method: "GET",
    path: "/api/v1/me",
    access: "signed-in",
    summary: "Who is signed in, and what they may do",
    reply: me,
  },
  changePassword: {
    method: "PUT",
    path: "/api/v1/me/password",
    access: "signed-in",
    summary: "Choose a new password; all other sessions end",
    body: z.object({ old: password, new: password }),
    status: 204,
  },
  listAccounts: {
    method: "GET",
    path: "/api/v1/accounts",
    access: "manage-accounts",
    summary: "Who has an account",
    reply: z.object({ items: z.array(person).readonly() }),
  },
  addAccount: {
    method: "POST",
    path: "/api/v1/accounts",
    access: "manage-accounts",
    summary: "Make an account; a password is made up and shown once, unless one is given",
    body: z.object({
      name: accountName,
      role,
      password: password.optional(),
      participant: participant.optional(),
    }),
    reply: person.extend({ password: z.string().nullable() }).meta({ id: "NewPerson" }),
    status: 201,
  },
  resetPassword: {
    method: "POST",
    path: "/api/v1/accounts/{name}/password",
    access: "manage-accounts",
    summary: "Make up a new password for somebody, shown once; their sessions end",
    params: z.object({ name: accountName }),
    reply: z.object({ password: z.string() }),
  },
  linkAccount: {
    method: "PUT",
    path: "/api/v1/accounts/{name}/participant",
    access: "manage-accounts",
    summary: "Say whose data a participant's account is about, in place of what was said before",
    params: z.object({ name: accountName }),
    body: z.object({ participant }),
    status: 204,
  },
  disableAccount: {
    method: "POST",
    path: "/api/v1/accounts/{name}/disable",
    access: "manage-accounts",
    summary: "Let nobody in by an account any more; its name stays in the record",
    params: z.object({ name: accountName }),
    status: 204,
  },
  listTokens: {
    method: "GET",
    path: "/api/v1/tokens",
    access: "signed-in",
    summary: "One's own tokens",
    about: "A token sees itself only; all of them need a session.",
    reply: z.object({ items: z.array(token).readonly() }),
  },
  addToken: {
    method: "POST",
    path: "/api/v1/tokens",
    access: "signed-in",
    summary: "Make a token for a program; it is shown once",
    about: "Needs a session: a token cannot make another.",
    body: wantedToken,
    reply: token.extend({ secret: z.string() }).meta({ id: "NewToken" }),
    status: 201,
  },
  revokeToken: {
    method: "DELETE",
    path: "/api/v1/tokens/{id}",
    access: "signed-in",
    summary: "Make a token worthless, at once",
    about: "A token can revoke itself; any other needs a session.",
    params: z.object({ id: z.string().max(100) }),
    status: 204,
  },
})
