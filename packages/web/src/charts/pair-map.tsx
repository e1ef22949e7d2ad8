// How far pairs of columns are from the data: a map with a square for each pair, darker where it is further
// off.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { PlotFigure } from "./plot-figure.tsx"

/** What is known of a column or a pair. */
export interface MapLine {
  readonly columns: readonly string[]
  readonly guess: number
}

interface PairMapProps {
  readonly lines: readonly MapLine[]
  /** What the map shows, in words. */
  readonly label: string
  readonly caption: string
}

/** The map. */
export function PairMap({ lines, label, caption }: PairMapProps) {
  const draw = useCallback(
    (width: number): Plot.PlotOptions => {
      const names = [...new Set(lines.flatMap(({ columns }) => columns))]
      const cells = lines.flatMap(({ columns: [a = "", b = a], guess }) =>
        a === b
          ? [{ a, b, guess }]
          : [
              { a, b, guess },
              { a: b, b: a, guess },
            ],
      )
      const longest = Math.max(...names.map((name) => name.length))
      const room = Math.min(width * 0.3, longest * 7 + 14)
      const side = (width - room - 8) / names.length
      const most = Math.max(0.01, ...lines.map(({ guess }) => guess))
      const place = { x: "a", y: "b" }
      return {
        style: { background: "transparent", color: "var(--ink)" },
        marginLeft: room,
        marginRight: 8,
        marginTop: 8,
        marginBottom: room,
        height: Math.min(side, 56) * names.length + room + 8,
        x: {
          domain: names,
          label: null,
          tickRotate: -90,
          tickSize: 0,
          tickFormat: (name: string) => fitted(name, room),
        },
        y: { domain: names, label: null, tickSize: 0, tickFormat: (name: string) => fitted(name, room) },
        opacity: { domain: [0, most], range: [0.06, 0.75] },
        marks: [
          Plot.cell(cells, { ...place, fill: "var(--accent)", fillOpacity: "guess", inset: 1, rx: 2 }),
          ...(side < 40
            ? []
            : [
                Plot.text(cells, {
                  ...place,
                  text: ({ guess }) => `${Math.round(guess * 100)}`,
                  fill: "var(--ink)",
                }),
              ]),
        ],
      }
    },
    [lines],
  )
  return <PlotFigure draw={draw} label={label} caption={caption} />
}

function fitted(name: string, room: number): string {
  const fits = Math.max(4, Math.floor((room - 12) / 7))
  return name.length <= fits ? name : `${name.slice(0, fits - 1)}…`
}
