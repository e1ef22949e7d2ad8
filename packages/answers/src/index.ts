// The main door of @dosimeter/answers: what is worked out from released numbers. Packages of this repository
// import files by name instead, so that nobody loads more than is used.

export { evaluate, type Sources } from "./evaluate/evaluate.ts"
export { intervalOfCell, type CellInterval } from "./intervals/interval-of-cell.ts"
export type { Cell, CellState, Row, Table } from "./cells/table.ts"
