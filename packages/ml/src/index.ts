// The main door of @dosimeter/ml: models whose fit costs a stated loss. Packages of this repository import
// files by name instead, so that nobody loads more than is used.

export { mlErrors } from "./errors.ts"
export { addBounded, stepOf, vectorGrid, vectorSensitivity, type VectorGrid } from "./grid/bounded-vector.ts"
