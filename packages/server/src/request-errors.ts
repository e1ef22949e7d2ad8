// The errors of requests over HTTP, of sessions and of tokens; errors.ts puts them with the others.

import { defineError, type ErrorDefinition } from "@dosimeter/core/errors"

type Nothing = Record<string, string>

/** Every error about a request rather than about what it asks. */
export const requestErrors = {
  "request/bad-json": defineError<Nothing>({
    kind: "invalid",
    message: () => "the body is not JSON",
    help: () => "send JSON with the header Content-Type: application/json",
  }),
  "request/bad-input": defineError<{ readonly where: string; readonly what: string }>({
    kind: "invalid",
    message: ({ where, what }) => `${where} is not as it should be: ${what}`,
    help: () => "see /api for what this route takes",
  }),
  "request/no-route": defineError<{ readonly path: string }>({
    kind: "invalid",
    message: ({ path }) => `there is nothing at ${path}`,
    help: () => "see /api for the routes that there are",
  }),
  "request/wrong-method": defineError<{ readonly method: string; readonly allowed: string }>({
    kind: "invalid",
    message: ({ method, allowed }) => `${method} is not possible here, ${allowed} is`,
    help: ({ allowed }) => `use ${allowed}`,
  }),
  "request/too-large": defineError<{ readonly most: string }>({
    kind: "invalid",
    message: ({ most }) => `the body is larger than ${most} bytes`,
    help: () => "send less",
  }),
  "request/bad-key": defineError<Nothing>({
    kind: "invalid",
    message: () => "the Idempotency-Key is not one",
    help: () => "send 1 to 100 letters, digits, dashes or underscores, such as a UUID",
  }),
  "request/not-signed-in": defineError<Nothing>({
    kind: "refused",
    message: () => "nobody is signed in, or the session or token is over",
    help: () => "sign in, or send a token: Authorization: Bearer TOKEN",
  }),
  "request/wrong-password": defineError<Nothing>({
    kind: "refused",
    message: () => "name or password is wrong",
    help: () => "try again, or ask the owner for a new password",
  }),
  "request/from-elsewhere": defineError<Nothing>({
    kind: "refused",
    message: () => "the request comes from another site, or without the session's token",
    help: () => "send the csrfToken of /api/v1/me as the header X-CSRF-Token",
  }),
  "request/needs-session": defineError<Nothing>({
    kind: "refused",
    message: () => "a token cannot do this",
    help: () => "sign in with a password or by the house's own sign-in",
  }),
  "request/too-many": defineError<{ readonly seconds: string }>({
    kind: "unavailable",
    message: () => "too many requests came in a short time",
    help: ({ seconds }) => `wait ${seconds} seconds, then try again`,
  }),
  "request/too-many-tries": defineError<Nothing>({
    kind: "unavailable",
    message: () => "too many wrong passwords",
    help: () => "wait a few minutes, then try again",
  }),
  "request/left": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "the question was taken back before its turn came",
    help: () => "nothing was charged; ask again",
  }),
  "request/busy": defineError<Nothing>({
    kind: "unavailable",
    message: () => "too many questions wait for an answer",
    help: () => "try again in a few seconds; nothing was charged",
  }),
  "request/too-many-waiting": defineError<Nothing>({
    kind: "unavailable",
    message: () => "too many of your own questions wait for an answer",
    help: () => "wait for some of them; nothing was charged for this one",
  }),
  "request/no-dataset": defineError<{ readonly dataset: string }>({
    kind: "invalid",
    message: ({ dataset }) => `there is no dataset ${dataset}`,
    help: () => "see which there are: GET /api/v1/datasets",
  }),
  "account/not-the-first": defineError<Nothing>({
    kind: "refused",
    message: () => "there are accounts already",
    help: () => "sign in, or ask the owner for an account",
  }),
  "account/wrong-code": defineError<Nothing>({
    kind: "refused",
    message: () => "this is not the code that the server printed",
    help: () => "take the code from the terminal where dosimeter serve was started",
  }),
  "oidc/not-configured": defineError<Nothing>({
    kind: "invalid",
    message: () => "no provider of OpenID Connect is configured here",
    help: () => "sign in with a password",
  }),
  "oidc/failed": defineError<Nothing>({
    kind: "refused",
    message: () => "the provider of OpenID Connect did not confirm who you are",
    help: () => "begin again at the sign-in page; if it goes on, ask the operator",
  }),
  "oidc/unreachable": defineError<Nothing>({
    kind: "unavailable",
    message: () => "the provider of OpenID Connect cannot be reached",
    help: () => "try again later, or sign in with a password",
  }),
  "oidc/no-role": defineError<Nothing>({
    kind: "refused",
    message: () => "the provider of OpenID Connect gives you no role here",
    help: () => "ask the operator to map one of your groups to a role",
  }),
  "oidc/name-taken": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `the name ${name} belongs to another account here`,
    help: () => "ask the operator",
  }),
  "oidc/bad-settings": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `the settings of OpenID Connect are wrong: ${what}`,
    help: () => "see docs/server.md, Sign-in by OpenID Connect",
  }),
  "token/bad-name": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `${name} cannot be the name of a token`,
    help: () => "take lower-case letters, digits, dots, - and _, 63 at most",
  }),
  "token/bad-days": defineError<{ readonly days: string }>({
    kind: "invalid",
    message: ({ days }) => `a token cannot live for ${days} days`,
    help: () => "take a whole number of 1 to 366",
  }),
  "token/exists": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `there is a token ${name} already`,
    help: () => "choose another name, or revoke it first: dosimeter token revoke ID",
  }),
  "token/above-account": defineError<{ readonly name: string; readonly right: string }>({
    kind: "refused",
    message: ({ name, right }) => `${name} has not the right ${right}, so no token of theirs can`,
    help: () => "leave it out, or make the token for another account",
  }),
  "token/unknown": defineError<{ readonly id: string }>({
    kind: "invalid",
    message: ({ id }) => `there is no token ${id}`,
    help: () => "see which there are: dosimeter token list",
  }),
  "release/unknown": defineError<{ readonly position: string }>({
    kind: "invalid",
    message: ({ position }) => `there is no release at entry ${position}`,
    help: () => "look at the list of releases",
  }),
  "release/no-model": defineError<{ readonly position: string }>({
    kind: "invalid",
    message: ({ position }) => `the release at ${position} is no model`,
    help: () => "GET /api/v1/models lists the models",
  }),
  "release/not-own": defineError<{ readonly position: string }>({
    kind: "refused",
    message: ({ position }) => `release ${position} was asked by somebody else`,
    help: () => "ask them, or the owner, for a title",
  }),
  "budget/unknown-account": defineError<{ readonly account: string }>({
    kind: "invalid",
    message: ({ account }) => `there is no account ${account} in the ledger`,
    help: () => "see which there are: GET /api/v1/budget",
  }),
} satisfies Record<string, ErrorDefinition<never>>
