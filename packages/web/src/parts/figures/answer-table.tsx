// A released table: groups on the left, every number with its interval.

import { Fragment } from "react"
import { isMeasured, missing, type Answer, type AnswerCell, type AnswerColumn } from "../../api/answer.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { NoisyNumber, placesOfColumn } from "./noisy-number.tsx"

interface AnswerTableProps {
  readonly answer: Answer
  readonly confidence: number | undefined
  readonly caption: string
  /** Whether the parts of intervals stand below them. */
  readonly parts?: boolean
}

/** The table of an answer; one number alone is shown large. */
export function AnswerTable({ answer, confidence, caption, parts = false }: AnswerTableProps) {
  const { columns, rows } = answer
  const [only] = columns
  const [row] = rows
  if (
    only !== undefined &&
    row !== undefined &&
    columns.length === 1 &&
    rows.length === 1 &&
    isMeasured(only)
  ) {
    return (
      <div>
        <p className="soft small">
          {only.name} <BoundingTag column={only} />
        </p>
        <NoisyNumber cell={row[only.name] ?? missing} confidence={confidence} size="large" parts />
      </div>
    )
  }
  const places = new Map(
    columns.map(({ name }) => [name, placesOfColumn(rows.map((each) => each[name] ?? missing))]),
  )
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={isMeasured(column) ? "number" : ""}>
                <Breakable name={column.name} /> <BoundingTag column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((each, index) => (
            // Rows of an answer have no name of their own and never move.
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.name} className={isMeasured(column) ? "number" : ""}>
                  <Cell
                    column={column}
                    cell={each[column.name] ?? missing}
                    confidence={confidence}
                    places={places.get(column.name) ?? 0}
                    parts={parts}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What the intervals of a column say of bounding, in a word or two; nothing where everything counts. */
function BoundingTag({ column: { bounding = "all-counts" } }: { readonly column: AnswerColumn }) {
  const { number } = useStrings()
  if (bounding === "all-counts") return null
  const { word, help } = number.bounding[bounding]
  return (
    <span className="bounding" title={help}>
      {word}
    </span>
  )
}

/** A name that may be broken after an underscore: long names of columns would push numbers out of sight. */
function Breakable({ name }: { readonly name: string }) {
  return name.split(/(?<=_)(?=[^_])/).map((part, index) => (
    // Parts of a name have no name of their own.
    <Fragment key={index}>
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ))
}

interface CellProps {
  readonly column: AnswerColumn
  readonly cell: AnswerCell
  readonly confidence: number | undefined
  readonly places: number
  readonly parts: boolean
}

function Cell({ column, cell, confidence, places, parts }: CellProps) {
  const { number } = useStrings()
  if (isMeasured(column) || cell.state === "below-threshold" || cell.low !== undefined) {
    return <NoisyNumber cell={cell} confidence={confidence} places={places} parts={parts} />
  }
  if (cell.value === null) return <span className="nothing">{number.nothing}</span>
  // A date that is broken in two is hard to read; other names may be long.
  return <span className={/^(date|timestamp)/.test(column.type) ? "nowrap" : ""}>{`${cell.value}`}</span>
}
