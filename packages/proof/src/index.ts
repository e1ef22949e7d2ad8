// The main door of @dosimeter/proof: the values that every other package speaks of, and the two that decide.
// Packages of this repository import files by name instead, so that nobody loads more than is used.

export { proofErrors } from "./errors.ts"
export { columnNamed, tableNamed, type Catalog, type CatalogTable } from "./catalog/catalog.ts"
export type { Constant } from "./catalog/constant.ts"
export type { Domain } from "./catalog/domain.ts"
export { showType, type SqlType } from "./catalog/sql-type.ts"
export type { Ask, Terms } from "./catalog/terms.ts"
export type * from "./algebra/expr.ts"
export type * from "./algebra/rel.ts"
export type * from "./algebra/release-plan.ts"
export { showExpr, showRel } from "./algebra/show.ts"
export type { Dialect } from "./dialects/dialect.ts"
export { isVerified, verify, type VerifiedPlan } from "./verify/verify.ts"
export { printRel, type SqlText } from "./print/print.ts"
