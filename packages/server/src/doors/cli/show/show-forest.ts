// A meta-analysis as text: each site with its interval and weight, a picture of them, the estimates of all.

import type { PooledSites, PooledValue } from "@dosimeter/engine"
import { pad, safeText, widthOf } from "./layout.ts"
import { fixedNumber, placesFor } from "./numbers.ts"

/** How it is drawn. */
export interface ForestOptions {
  /** Plain characters only. */
  readonly plain: boolean
}

/** Columns of the picture. */
const width = 37

interface Line {
  readonly name: string
  readonly of: PooledValue
  readonly weight?: number
}

/** The lines of a forest plot. */
export function showForest(pooled: PooledSites, { plain }: ForestOptions): readonly string[] {
  const { sites, fixed, random, hartungKnapp, scale, confidence, leftOut } = pooled
  const all: readonly Line[] = [
    ...sites.map((one) => ({ name: safeText(one.site), of: one, weight: one.weight })),
    { name: "fixed effect", of: fixed },
    { name: "random effects", of: random },
    { name: "  Hartung-Knapp", of: hartungKnapp },
  ]
  const axis = axisOf(
    all.map(({ of }) => of),
    scale,
  )
  const places = placesFor(fixed.high - fixed.low)
  const texts = all.map(({ name, of, weight }) => ({
    name,
    value: fixedNumber(of.value, places),
    interval: `[${fixedNumber(of.low, places)}, ${fixedNumber(of.high, places)}]`,
    weight: weight === undefined ? "" : `${(100 * weight).toFixed(0)} %`,
    picture: pictureOf(of, axis, { plain, isPooled: weight === undefined }),
  }))
  const head = {
    name: "site",
    value: pooled.measure.replace("-", " "),
    interval: `${+(100 * confidence).toFixed(1)} % interval`,
    weight: "weight",
    picture: "",
  }
  const rows = [head, ...texts]
  const widest = (of: (row: typeof head) => string): number =>
    Math.max(...rows.map((row) => widthOf(of(row))))
  const widths = {
    name: widest(({ name }) => name),
    value: widest(({ value }) => value),
    interval: widest(({ interval }) => interval),
    weight: widest(({ weight }) => weight),
  }
  const lines = rows.map(({ name, value, interval, weight, picture }) =>
    [
      pad(name, widths.name, "left"),
      pad(value, widths.value, "right"),
      pad(interval, widths.interval, "left"),
      pad(weight, widths.weight, "right"),
      picture,
    ]
      .join("  ")
      .trimEnd(),
  )
  lines.splice(1 + sites.length, 0, "")
  const share = (100 * pooled.inconsistency).toFixed(0)
  return [
    ...lines,
    "",
    `Q ${pooled.q.toFixed(2)}, degrees of freedom ${pooled.degrees}, tau squared ${pooled.between.toPrecision(3)}, I squared ${share} %`,
    "The noise of each site counts in its interval and its weight.",
    ...(leftOut.length === 0
      ? []
      : [`left out, since their counts drown in the noise: ${leftOut.map(safeText).join(", ")}`]),
  ]
}

interface Axis {
  readonly placeOf: (value: number) => number
  /** Where nothing differs. */
  readonly zero: number | undefined
}

function axisOf(values: readonly PooledValue[], scale: PooledSites["scale"]): Axis {
  const on = (value: number): number => (scale === "logarithm" ? Math.log(value) : value)
  const ends = values.flatMap(({ low, high }) => [on(low), on(high)]).filter(Number.isFinite)
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  const size = high > low ? high - low : 1
  const placeOf = (value: number): number => Math.round(((on(value) - low) / size) * (width - 1))
  const nothing = scale === "logarithm" ? 1 : 0
  return { placeOf, zero: on(nothing) >= low && on(nothing) <= high ? placeOf(nothing) : undefined }
}

function pictureOf(
  { value, low, high }: PooledValue,
  { placeOf, zero }: Axis,
  { plain, isPooled }: ForestOptions & { readonly isPooled: boolean },
): string {
  const [line, mark, bar] = plain ? ["-", isPooled ? "O" : "#", "|"] : ["─", isPooled ? "◆" : "■", "│"]
  const [from, at, to] = [placeOf(low), placeOf(value), placeOf(high)]
  const cells = Array.from({ length: width }, (_, place) => {
    if (place === at) return mark
    if (place >= from && place <= to) return line
    return place === zero ? bar : " "
  })
  return cells.join("")
}
