// The shape of a whole plan.

import type { ConsentMode } from "../../catalog/catalog.ts"
import type {
  Choice,
  ChoiceKind,
  ChoiceMeasurement,
  LinearMeasurement,
  MeasuredColumn,
  Measurement,
  Reading,
  ScaledMoments,
  Strategy,
  StrategyKind,
} from "../../algebra/measurement.ts"
import type {
  Charge,
  ConsentUse,
  Extract as ExtractOf,
  Groupings,
  KeyFact,
  KeyPlan,
  Release,
  ReleasePlan,
  ScaledBounds,
} from "../../algebra/release-plan.ts"
import { relShape } from "./rel-shape.ts"
import {
  count,
  fields,
  flag,
  fraction,
  list,
  maybe,
  natural,
  text,
  variants,
  whole,
  word,
  yes,
  type Shape,
} from "./shape.ts"
import {
  additiveShape,
  keySpecShape,
  lossShape,
  marginsShape,
  neighboursShape,
  normShape,
  quantilesShape,
  runningTotalShape,
  selectionShape,
  topShape,
  treeShape,
} from "./spec-shape.ts"
import { constantsShape } from "./value-shape.ts"

const basisShape = word("pair", "tilted", "triple", "nodes")
const scaledMomentsShape = fields<ScaledMoments>(
  { places: list(count), lower: whole, upper: whole, from: whole, basis: basisShape },
  {},
)

/** A shape for each strategy: a new one does not compile until it has one. */
const strategyShapes: { readonly [Kind in StrategyKind]: Shape<Strategy<Kind>> } = {
  identity: fields<Strategy<"identity">>({ kind: word("identity"), spec: additiveShape }, {}),
  moments: fields<Strategy<"moments">>(
    {
      kind: word("moments"),
      lower: whole,
      upper: whole,
      from: whole,
      basis: basisShape,
      spec: additiveShape,
    },
    {},
  ),
  scaled: fields<Strategy<"scaled">>(
    { kind: word("scaled"), worths: list(fraction), steps: list(fraction), spec: additiveShape },
    { moments: list(scaledMomentsShape), rowsPerGroup: whole },
  ),
  totals: fields<Strategy<"totals">>({ kind: word("totals"), spec: runningTotalShape }, {}),
  parts: fields<Strategy<"parts">>({ kind: word("parts"), spec: marginsShape }, {}),
  levels: fields<Strategy<"levels">>({ kind: word("levels"), spec: treeShape }, {}),
}

/** A shape for each choice. */
const choiceShapes: { readonly [Kind in ChoiceKind]: Shape<Choice<Kind>> } = {
  quantiles: fields<Choice<"quantiles">>(
    {
      kind: word("quantiles"),
      from: fraction,
      width: fraction,
      cellValue: word("middle", "start"),
      spec: quantilesShape,
    },
    {},
  ),
  mode: fields<Choice<"mode">>({ kind: word("mode"), values: constantsShape, spec: selectionShape }, {}),
}

const measuredShape = fields<MeasuredColumn>(
  { id: count, of: word("units", "rows", "values", "squares", "distinct") },
  {},
)
const measurementShape = variants<Measurement, "kind">("kind", {
  linear: fields<LinearMeasurement>(
    {
      kind: word("linear"),
      label: text,
      extract: count,
      columns: list(measuredShape),
      grid: fraction,
      strategy: variants<Strategy, "kind">("kind", strategyShapes),
    },
    {},
  ),
  choice: fields<ChoiceMeasurement>(
    {
      kind: word("choice"),
      label: text,
      extract: count,
      cell: count,
      count,
      choice: variants<Choice, "kind">("kind", choiceShapes),
    },
    {},
  ),
})

type ReadingOf<Kind extends Reading["kind"]> = Extract<Reading, { readonly kind: Kind }>
const readingShape = variants<Reading, "kind">("kind", {
  linear: fields<ReadingOf<"linear">>(
    { kind: word("linear"), label: text, measurement: count, column: count, isWhole: flag },
    {},
  ),
  chosen: fields<ReadingOf<"chosen">>(
    { kind: word("chosen"), label: text, measurement: count, part: count },
    {},
  ),
  "key-count": fields<ReadingOf<"key-count">>({ kind: word("key-count"), label: text }, {}),
})

const places = list(list(count))
const groupingsShape = fields<Groupings>({ sets: places, nonNegative: flag }, { levels: places })
type KeysOf<Kind extends KeyPlan["kind"]> = Extract<KeyPlan, { readonly kind: Kind }>
const keysShape = variants<KeyPlan, "kind">("kind", {
  none: fields<KeysOf<"none">>({ kind: word("none") }, {}),
  public: fields<KeysOf<"public">>(
    { kind: word("public"), lists: list(constantsShape) },
    { rows: list(constantsShape), groupings: groupingsShape },
  ),
  private: fields<KeysOf<"private">>({ kind: word("private"), units: count, spec: keySpecShape }, {}),
  top: fields<KeysOf<"top">>(
    {
      kind: word("top"),
      lists: maybe(list(constantsShape)),
      score: count,
      reading: count,
      spec: topShape,
    },
    {},
  ),
})

const extractShape = fields<ExtractOf>({ rel: relShape, keys: list(count), values: list(count) }, {})
const beyondShape = fields<NonNullable<ScaledBounds["beyond"]>>({ estimate: fraction }, { most: fraction })
const boundsShape = fields<Release["bounds"]>(
  { groupsPerUnit: natural, rowsPerGroup: natural, groupsProof: maybe(text), rowsProof: maybe(text) },
  {
    scaled: fields<ScaledBounds>({ norm: normShape, bound: natural }, { beyond: beyondShape, isCap: yes }),
    cutsValues: yes,
  },
)
const releaseShape = fields<Release>(
  {
    extracts: list(extractShape),
    prepared: list(text),
    bounds: boundsShape,
    keys: keysShape,
    measurements: list(measurementShape),
    readings: list(readingShape),
    columns: list(count),
  },
  {},
)

const chargeShape = fields<Charge>(
  { accounting: word("pure", "zcdp", "gdp"), amount: fraction, delta: fraction, shown: lossShape },
  {},
)

const modeShape: Shape<ConsentMode> = word("required", "opt-out")
const consentShape = fields<ConsentUse>({ mode: modeShape, purposes: list(text), version: text }, {})

/** A plan. */
export const planShape: Shape<ReleasePlan> = fields<ReleasePlan>(
  {
    dataset: text,
    unitName: text,
    neighbours: neighboursShape,
    releases: list(releaseShape),
    post: relShape,
    outputNames: list(text),
    charge: chargeShape,
    confidence: fraction,
    notes: list(text),
    reliesOn: list(fields<KeyFact>({ table: text, columns: list(text) }, {})),
  },
  { raw: yes, shownFrom: natural, consent: consentShape },
)
