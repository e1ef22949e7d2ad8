// Released models as ONNX files, which other runtimes read: regressions and networks. A file holds what the
// model holds and nothing else; making it costs no loss.

import { predictorMax } from "../regression/families.ts"
import type { RegressionModel } from "../regression/model.ts"
import { halfMax, inputSteps } from "../sgd/network.ts"
import type { NetworkModel } from "../sgd/train-network.ts"
import { OnnxGraph } from "./onnx-graph.ts"

/**
 * A regression as ONNX: `features` (doubles, one row a row) to `expected`, as expectedOf says. What is no
 * number is taken from the middle of its range.
 */
export function regressionOnnx(model: RegressionModel): Uint8Array {
  const { features, family, target, predictors } = model
  const width = features.length
  // The first class of a multinomial model has the predictor 0.
  const columns = family === "multinomial" ? [[], ...predictors] : predictors
  const outputs = columns.length
  const graph = new OnnxGraph("double")
  const row = (name: string, valueOf: (range: (typeof features)[number]) => number): string =>
    graph.constant(name, [1, width], features.map(valueOf))
  const middle = row("middle", ({ low, high }) => (low + high) / 2)
  const known = graph.step(
    "Where",
    [graph.step("IsNaN", ["features"], "missing"), middle, "features"],
    "known",
  )
  const inside = within(graph, known, {
    name: "inside",
    low: row("lows", ({ low }) => low),
    high: row("highs", ({ high }) => high),
  })
  const slopes = Float64Array.from(
    { length: width * outputs },
    (_, at) => columns[at % outputs]?.[1 + Math.floor(at / outputs)] ?? 0,
  )
  const product = graph.step(
    "MatMul",
    [inside, graph.constant("slopes", [width, outputs], slopes)],
    "product",
  )
  const intercepts = graph.constant(
    "intercepts",
    [1, outputs],
    columns.map(([intercept = 0]) => intercept),
  )
  const predictor = graph.step("Add", [product, intercepts], "predictor")
  const bounds = family === "linear" ? target : { low: -predictorMax, high: predictorMax }
  const bounded = (name: string): string =>
    within(graph, predictor, {
      name,
      low: graph.constant("least", [], [bounds.low]),
      high: graph.constant("most", [], [bounds.high]),
    })
  if (family === "multinomial") graph.step("Softmax", [predictor], "expected")
  else if (family === "linear") bounded("expected")
  else graph.step(family === "logistic" ? "Sigmoid" : "Exp", [bounded("bounded")], "expected")
  return graph.model({
    name: `${family} regression`,
    input: ["features", width],
    output: ["expected", outputs],
    notes: {
      features: JSON.stringify(features.map(({ name }) => name)),
      target: target.name,
      loss: JSON.stringify({ rho: model.loss.rho, neighbours: model.loss.neighbours }),
    },
  })
}

/**
 * A network as ONNX: `inputs` (floats: steps of a NetworkData over 256) to `expected`, as predictNetwork
 * says.
 */
export function networkOnnx(model: NetworkModel): Uint8Array {
  const { sizes, target, weights } = model
  const graph = new OnnxGraph("float")
  const [steps, zero, most] = [
    graph.constant("steps", [], [inputSteps]),
    graph.constant("zero", [], [0]),
    graph.constant("most", [], [halfMax]),
  ]
  let [value, from] = ["inputs", 0]
  for (const [layer, outs] of sizes.slice(1).entries()) {
    const ins = sizes[layer] ?? 0
    const table = graph.constant(`weights ${layer}`, [ins, outs], weights.subarray(from, from + ins * outs))
    const own = graph.constant(
      `intercepts ${layer}`,
      [1, outs],
      weights.subarray(from + ins * outs, from + (ins + 1) * outs),
    )
    from += (ins + 1) * outs
    value = graph.step("Add", [graph.step("MatMul", [value, table], `product ${layer}`), own], `sum ${layer}`)
    if (layer + 2 === sizes.length) break
    // What is above 0 goes on, in whole steps.
    const scaled = graph.step(
      "Round",
      [graph.step("Mul", [value, steps], `scaled ${layer}`)],
      `whole ${layer}`,
    )
    const bounded = within(graph, scaled, { name: `bounded ${layer}`, low: zero, high: most })
    value = graph.step("Div", [bounded, steps], `active ${layer}`)
  }
  if (target === "classes") {
    graph.step("Softmax", [value], "expected")
  } else {
    const [low, high] = [graph.constant("least output", [], [-1]), graph.constant("most output", [], [1])]
    within(graph, value, { name: "expected", low, high })
  }
  return graph.model({
    name: "network",
    input: ["inputs", sizes[0] ?? 0],
    output: ["expected", sizes.at(-1) ?? 0],
    notes: { steps: `${inputSteps}`, target },
  })
}

/** A value that is moved between two others. */
function within(
  graph: OnnxGraph,
  value: string,
  { name, low, high }: { readonly name: string; readonly low: string; readonly high: string },
): string {
  return graph.step("Min", [graph.step("Max", [value, low], `${name}, raised`), high], name)
}
