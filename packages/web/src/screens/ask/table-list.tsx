// The tables beside the editor: what there is, and a press puts a name into the question.

import { useStrings } from "../../strings/use-strings.ts"
import type { KnownTable } from "../../workers/price.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"

interface TableListProps {
  readonly tables: readonly KnownTable[]
  readonly onChoose: (name: string) => void
}

/** Tables that open to their columns. */
export function TableList({ tables, onChoose }: TableListProps) {
  const { ask, data } = useStrings()
  return (
    <details className="card no-print">
      <summary>
        <b>{ask.tables}</b>
      </summary>
      <p className="small soft">{ask.tablesHint}</p>
      <ul className="plain stack-tight">
        {tables.map(({ name, kind, columns }) => (
          <li key={name}>
            <details>
              <summary>
                <code>{name}</code>{" "}
                <Tag tone={kind === "public" ? "plain" : "accent"}>{data.kinds[kind]}</Tag>
              </summary>
              <div className="examples">
                {columns.map((column) => (
                  <Button key={column.name} size="small" onPress={() => onChoose(column.name)}>
                    <code>{column.name}</code> <span className="soft">{column.type}</span>
                  </Button>
                ))}
              </div>
            </details>
          </li>
        ))}
      </ul>
    </details>
  )
}
