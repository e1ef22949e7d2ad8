// Text and pictures in HTML: what comes from data is escaped, colours are those of the page's style.

/** A text that cannot become markup. */
export function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}

/** A share as a bar of its own, with a mark where one is wanted. For a cell beside the number. */
export function barSvg(
  share: number,
  { mark, tone = "risk" }: { readonly mark?: number; readonly tone?: string } = {},
): string {
  const x = (value: number): string => (200 * Math.min(1, Math.max(0, value))).toFixed(1)
  const line =
    mark === undefined ? "" : `<line class="mark" x1="${x(mark)}" x2="${x(mark)}" y1="0" y2="14" />`
  return `<svg class="bar" viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="200" height="14" rx="2" /><rect class="${tone}" width="${x(share)}" height="14" rx="2" />${line}</svg>`
}

/** A line of a chart. */
export interface ChartLine {
  readonly name: string
  readonly tone: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** Lines over shares from 0 to 1, with names at their ends and a scale in words. */
export function lineChart(chart: {
  readonly title: string
  readonly lines: readonly ChartLine[]
  readonly xFrom: number
  readonly xTo: number
  readonly xLabel: string
  readonly xTick: (x: number) => string
}): string {
  const { title, lines, xFrom, xTo, xLabel, xTick } = chart
  const [left, right, top, bottom] = [44, 336, 12, 178]
  const span = xTo - xFrom || 1
  const x = (value: number): number => left + ((value - xFrom) / span) * (right - left)
  const y = (value: number): number => bottom - value * (bottom - top)
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line class="grid" x1="${left}" x2="${right}" y1="${y(share)}" y2="${y(share)}" /><text x="${left - 6}" y="${y(share) + 4}" text-anchor="end">${share * 100} %</text>`,
  )
  const ticks = [xFrom, (xFrom + xTo) / 2, xTo]
    .filter((value, index, all) => all.indexOf(value) === index && xTick(value) !== "")
    .map(
      (value) =>
        `<text x="${x(value)}" y="${bottom + 16}" text-anchor="middle">${escape(xTick(value))}</text>`,
    )
  const drawn = lines.map(({ points, tone }) => {
    const path = points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(" ")
    const dots = points.map(
      (point) =>
        `<circle class="${tone}" cx="${x(point.x).toFixed(1)}" cy="${y(point.y).toFixed(1)}" r="3" />`,
    )
    return `<polyline class="line ${tone}" points="${path}" />${dots.join("")}`
  })
  const legend = lines.map(({ name, tone }) => `<span><i class="${tone}"></i>${escape(name)}</span>`)
  return `<figure><svg class="chart" viewBox="0 0 360 214" role="img" aria-label="${escape(title)}">${grid.join("")}${ticks.join("")}<text x="${(left + right) / 2}" y="${bottom + 32}" text-anchor="middle">${escape(xLabel)}</text>${drawn.join("")}</svg><figcaption class="legend">${legend.join(" ")}</figcaption></figure>`
}

/** A table; cells are HTML already. */
export function tableHtml(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("")
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}
