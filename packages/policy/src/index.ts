// The main door of @dosimeter/policy: an owner's file, read or proposed. Packages of this repository import
// files by name instead, so that nobody loads more than is used.

export { policyErrors, type PolicyErrorCode } from "./errors.ts"
export type { Policy, Source } from "./file/policy.ts"
export { readPolicy } from "./read/read-policy.ts"
export { packNames } from "./packs/packs.ts"
export { proposePolicy, type Proposal, type ProposeOptions } from "./propose/propose-policy.ts"
export type { SourceFacts, TableFacts, ColumnFacts } from "./file/source-facts.ts"
