// Sign-in by a provider of OpenID Connect, as the environment configures it: secrets are not for command
// lines.

import { fail } from "../../../errors.ts"
import { readRoleMap, type OpenIdSettings } from "../../http/services/open-id.ts"

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The settings, or undefined where nothing is configured. */
export function openIdSettings(
  environment: Environment,
  publicUrl: string | undefined,
): OpenIdSettings | undefined {
  const value = (name: string): string | undefined => {
    const text = environment[`DOSIMETER_OIDC_${name}`]?.trim()
    return text === "" ? undefined : text
  }
  const issuer = value("ISSUER")
  if (issuer === undefined) return undefined
  const wrong = (what: string): never => fail("oidc/bad-settings", { what })
  if (publicUrl === undefined) return wrong("--public-url says where browsers come back to")
  if (!URL.canParse(issuer)) return wrong("DOSIMETER_OIDC_ISSUER is no address")
  const roleOf = readRoleMap(value("ROLES") ?? "")
  if (roleOf === undefined)
    return wrong("DOSIMETER_OIDC_ROLES is to be like researchers=analyst,owners=owner")
  return {
    issuer,
    clientId: value("CLIENT_ID") ?? wrong("DOSIMETER_OIDC_CLIENT_ID is missing"),
    clientSecret: value("CLIENT_SECRET") ?? wrong("DOSIMETER_OIDC_CLIENT_SECRET is missing"),
    roleClaim: value("ROLE_CLAIM") ?? "groups",
    nameClaim: value("NAME_CLAIM") ?? "preferred_username",
    roleOf,
    redirectUri: new URL("/sign-in/openid/back", publicUrl).href,
  }
}
