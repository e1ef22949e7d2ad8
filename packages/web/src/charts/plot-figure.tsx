// A chart of Plot on the page: drawn again when its width or its data change, with words for screen readers.

import * as Plot from "@observablehq/plot"
import { useEffect, useRef, useState, type ReactNode } from "react"

interface PlotFigureProps {
  /** Draws the chart at a width. Keep the function the same (useCallback) while the data is the same. */
  readonly draw: (width: number) => Plot.PlotOptions
  /** What the chart shows, in words. */
  readonly label: string
  readonly caption?: ReactNode
}

/** A chart with its caption. */
export function PlotFigure({ draw, label, caption }: PlotFigureProps) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const box = place.current
    if (box === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.floor(box.clientWidth)))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (width === 0) return undefined
    const chart = Plot.plot({ ...draw(width), width, ariaLabel: label })
    place.current?.replaceChildren(chart)
    return () => chart.remove()
  }, [draw, label, width])
  return (
    <figure className="chart">
      <div ref={place} role="img" aria-label={label} />
      {caption === undefined ? null : <figcaption>{caption}</figcaption>}
    </figure>
  )
}
