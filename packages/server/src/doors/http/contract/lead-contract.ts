// Every route of a coordinator: those of its nodes, those of its lead, and who is signed in.

import { coordinatorRoutes } from "./coordinator.ts"
import { identityRoutes } from "./identity.ts"
import { leadRoutes } from "./lead.ts"
import { serverRoutes } from "./server.ts"

const { signInMethods, setUp, signIn, signOut, whoAmI, changePassword } = identityRoutes
const { listTokens, addToken, revokeToken } = identityRoutes

/** The contract of a coordinator: routes by name. */
export const coordinatorContract = {
  ...coordinatorRoutes,
  ...leadRoutes,
  signInMethods,
  setUp,
  signIn,
  signOut,
  whoAmI,
  changePassword,
  listTokens,
  addToken,
  revokeToken,
  openApi: serverRoutes.openApi,
} as const
