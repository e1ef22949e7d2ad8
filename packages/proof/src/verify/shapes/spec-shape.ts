// The shapes of mechanisms: every number, kind and list that losses and noise are read from.

import type {
  AnyKeySpec,
  ChangeBlock,
  CountedEnds,
  GaussianSpec,
  KeyWeight,
  LaplaceSpec,
  Loss,
  MarginPart,
  MarginsSpec,
  Neighbours,
  Norm,
  QuantileEnds,
  QuantilesSpec,
  QuantileTree,
  RowsNoise,
  RunningTotalSpec,
  SelectionSpec,
  Sensitivity,
  TopKeysSpec,
  TopKSpec,
  TotalForm,
  TreeSpec,
} from "@dosimeter/core/mechanisms"
import { count, fields, fraction, list, natural, variants, whole, within, word, type Shape } from "./shape.ts"

/** Which datasets are neighbours. */
export const neighboursShape: Shape<Neighbours> = word("add-or-remove", "replace")

/** How a change is measured. */
export const normShape: Shape<Norm> = word("l1", "l2")

const blockShape = fields<ChangeBlock>({ groups: natural, amount: natural }, {})
const sensitivityShape = fields<Sensitivity>(
  { neighbours: neighboursShape, patterns: list(list(blockShape)) },
  { norm: normShape },
)

const laplaceShape = fields<LaplaceSpec>(
  { kind: word("laplace"), scale: fraction, sensitivity: sensitivityShape },
  {},
)
const gaussianShape = fields<GaussianSpec>(
  { kind: word("gaussian"), variance: fraction, sensitivity: sensitivityShape },
  { epsilon: fraction },
)

/** Noise on numbers. */
export const additiveShape: Shape<LaplaceSpec | GaussianSpec> = variants<LaplaceSpec | GaussianSpec, "kind">(
  "kind",
  { laplace: laplaceShape, gaussian: gaussianShape },
)

const partShape = fields<MarginPart>({ attributes: list(count), variance: fraction }, {})

/** Parts of a table. */
export const marginsShape: Shape<MarginsSpec> = fields<MarginsSpec>(
  {
    kind: word("margins"),
    sizes: list(natural),
    groupsPerUnit: natural,
    lower: whole,
    upper: whole,
    neighbours: neighboursShape,
    parts: list(partShape),
  },
  {},
)

/** Levels of a tree. */
export const treeShape: Shape<TreeSpec> = fields<TreeSpec>(
  {
    kind: word("tree"),
    children: list(list(count)),
    weights: list(list(natural)),
    total: fraction,
    variances: list(list(fraction)),
    groupsPerUnit: natural,
    lower: whole,
    upper: whole,
    neighbours: neighboursShape,
  },
  {},
)

/** A choice among listed things. */
export const selectionShape: Shape<SelectionSpec> = fields<SelectionSpec>(
  {
    kind: word("selection"),
    method: word("exponential", "permute-and-flip", "noisy-max"),
    epsilon: fraction,
    groupsPerUnit: natural,
    sensitivity: natural,
    scores: word("monotone", "any"),
    candidates: natural,
  },
  {},
)

const drawsShape: Shape<QuantileTree> = fields<QuantileTree>(
  { which: count, epsilon: fraction },
  { below: within(() => drawsShape), above: within(() => drawsShape) },
)
const endsShape = fields<QuantileEnds>({ epsilonPerEnd: fraction, miss: fraction, shifts: list(whole) }, {})
const rowsNoiseShape = variants<RowsNoise, "law">("law", {
  laplace: fields<Extract<RowsNoise, { readonly law: "laplace" }>>(
    { law: word("laplace"), scale: fraction },
    {},
  ),
  gaussian: fields<Extract<RowsNoise, { readonly law: "gaussian" }>>(
    { law: word("gaussian"), variance: fraction },
    {},
  ),
})
const countedShape = fields<CountedEnds>(
  { epsilonPerEnd: fraction, noise: rowsNoiseShape, miss: fraction, shifts: list(whole) },
  {},
)

/** Quantiles of histograms. */
export const quantilesShape: Shape<QuantilesSpec> = fields<QuantilesSpec>(
  {
    kind: word("quantiles"),
    quantiles: list(fraction),
    cells: natural,
    slots: natural,
    rowsPerUnit: natural,
    groupsPerUnit: natural,
    neighbours: neighboursShape,
    tree: drawsShape,
  },
  { full: natural, ends: endsShape, counted: countedShape },
)

/** The largest groups. */
export const topShape: Shape<TopKSpec | TopKeysSpec> = variants<TopKSpec | TopKeysSpec, "kind">("kind", {
  "top-k": fields<TopKSpec>(
    {
      kind: word("top-k"),
      k: natural,
      epsilonPerChoice: fraction,
      sensitivity: natural,
      scores: word("monotone", "any"),
      candidates: natural,
    },
    {},
  ),
  "top-keys": fields<TopKeysSpec>(
    {
      kind: word("top-keys"),
      k: natural,
      epsilonPerChoice: fraction,
      sensitivity: natural,
      groupsPerUnit: natural,
      neighbours: neighboursShape,
      threshold: whole,
    },
    {},
  ),
})

type KeysOf<Kind extends AnyKeySpec["kind"]> = Extract<AnyKeySpec, { readonly kind: Kind }>
const bounds = { groupsPerUnit: natural, neighbours: neighboursShape }
const threshold = { threshold: whole, lowerChance: fraction, rowsPerGroup: natural }
const weightShape = fields<KeyWeight>({ groups: natural, weight: natural }, {})

/** Which keys are shown. */
export const keySpecShape: Shape<AnyKeySpec> = variants<AnyKeySpec, "kind">("kind", {
  "keys-optimal": fields<KeysOf<"keys-optimal">>(
    { kind: word("keys-optimal"), ...bounds, epsilonPerKey: fraction, deltaPerKey: fraction },
    {},
  ),
  "keys-laplace": fields<KeysOf<"keys-laplace">>(
    { kind: word("keys-laplace"), ...bounds, ...threshold, scale: fraction },
    {},
  ),
  "keys-gaussian": fields<KeysOf<"keys-gaussian">>(
    { kind: word("keys-gaussian"), ...bounds, ...threshold, variance: fraction },
    { epsilon: fraction },
  ),
  "keys-weighted": fields<KeysOf<"keys-weighted">>(
    {
      kind: word("keys-weighted"),
      ...bounds,
      weights: list(weightShape),
      variance: fraction,
      threshold: whole,
    },
    { epsilon: fraction },
  ),
})

const formShape = variants<TotalForm, "kind">("kind", {
  tree: fields<Extract<TotalForm, { readonly kind: "tree" }>>({ kind: word("tree") }, {}),
  fading: fields<Extract<TotalForm, { readonly kind: "fading" }>>(
    { kind: word("fading"), sixteenths: natural },
    {},
  ),
})

/** Running totals. */
export const runningTotalShape: Shape<RunningTotalSpec> = fields<RunningTotalSpec>(
  {
    kind: word("running-total"),
    horizon: natural,
    form: formShape,
    noise: rowsNoiseShape,
    stepsPerUnit: natural,
    amountPerStep: natural,
    neighbours: neighboursShape,
  },
  {},
)

/** A loss, in words for people. */
export const lossShape: Shape<Loss> = variants<Loss, "measure">("measure", {
  pure: fields<Extract<Loss, { readonly measure: "pure" }>>({ measure: word("pure"), epsilon: fraction }, {}),
  approx: fields<Extract<Loss, { readonly measure: "approx" }>>(
    { measure: word("approx"), epsilon: fraction, delta: fraction },
    {},
  ),
  zcdp: fields<Extract<Loss, { readonly measure: "zcdp" }>>(
    { measure: word("zcdp"), rho: fraction, delta: fraction },
    {},
  ),
  gdp: fields<Extract<Loss, { readonly measure: "gdp" }>>(
    { measure: word("gdp"), muSquared: fraction, delta: fraction },
    {},
  ),
})
