import { adult, madeUp, rowsOf } from "./coded-data.ts"
import { makeRows, methods } from "./methods.ts"
import { aucOf } from "./auc.ts"
import { tableOfRows } from "@dosimeter/ml/synthetic/sample-rows"
const which = process.argv[2] ?? "made"
const data = which === "adult" ? await adult("/work/shared/data") : madeUp(Number(process.argv[4] ?? 20000), "x")
if (data === undefined) throw new Error("no data")
const n = data.columns[0]!.length
const train = rowsOf(data, [...Array(n).keys()].filter((i) => i % 5 !== 0)), test = rowsOf(data, [...Array(n).keys()].filter((i) => i % 5 === 0))
const err = (made: any) => { const sizes = data.attributes.map((a) => a.size); let s = 0, k = 0
 for (let a = 0; a < sizes.length; a++) for (let b = a + 1; b < sizes.length; b++) { const x = tableOfRows(train.columns, sizes, [a, b]), y = tableOfRows(made, sizes, [a, b]); const nx = train.columns[0]!.length, ny = made[0].length; let d = 0; for (let i = 0; i < x.length; i++) d += Math.abs(x[i]! / nx - y[i]! / ny); s += d / 2; k++ } return s / k }
console.log("non-private auc", aucOf(train, test).toFixed(4))
for (const e of (process.argv[3] ?? "0.5,1,3").split(",")) for (const m of methods) {
  const t = performance.now()
  const made = makeRows(train, m, { epsilon: e, delta: "1e-6", seed: "s" })
  const s = (performance.now() - t) / 1000
  console.log(e, m.name, "tv2", err(made).toFixed(4), "auc", aucOf({ ...train, columns: made }, test).toFixed(4), s.toFixed(1) + "s")
}
