// Questions that were asked in this browser before: to look at again, or to edit further.

import { useCallback, useState } from "react"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { keep, readKept } from "../../parts/browser/kept.ts"
import { Link } from "../../parts/browser/router.tsx"

/** A question that was answered. */
export interface Asked {
  readonly sql: string
  readonly at: string
  readonly position: string | undefined
}

const countMax = 30

/** The list, and how to add to it. */
export function useAskedEarlier(user: string) {
  const name = `asked.${user}`
  const [asked, setAsked] = useState<readonly Asked[]>(() => readKept(name, isAskedList) ?? [])
  const change = useCallback(
    (next: readonly Asked[]) => {
      setAsked(next)
      keep(name, next)
    },
    [name],
  )
  const add = (one: Asked): void =>
    change([one, ...asked.filter(({ sql }) => sql !== one.sql)].slice(0, countMax))
  return { asked, add, clear: () => change([]) }
}

interface AskedEarlierProps {
  readonly asked: readonly Asked[]
  readonly onChoose: (sql: string) => void
  readonly onClear: () => void
}

/** The list of earlier questions. */
export function AskedEarlier({ asked, onChoose, onClear }: AskedEarlierProps) {
  const { ask, releases } = useStrings()
  const locale = useLocale()
  return (
    <section className="card no-print">
      <div className="row split">
        <h2>{ask.history}</h2>
        {asked.length === 0 ? null : (
          <Button size="small" variant="quiet" onPress={onClear}>
            {ask.historyClear}
          </Button>
        )}
      </div>
      {asked.length === 0 ? <p className="soft">{ask.historyEmpty}</p> : null}
      <ul className="plain stack">
        {asked.map(({ sql, at, position }) => (
          <li key={at} className="stack-tight">
            <pre className="small">{sql}</pre>
            <div className="row">
              <span className="small soft">{new Date(at).toLocaleString(locale)}</span>
              <Button size="small" variant="quiet" onPress={() => onChoose(sql)}>
                {ask.again}
              </Button>
              {position === undefined ? null : (
                <Link to={`/releases/${position}`}>{releases.one(position)}</Link>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function isAskedList(value: unknown): value is readonly Asked[] {
  return (
    Array.isArray(value) &&
    value.every(
      (one: unknown) =>
        typeof one === "object" && one !== null && "sql" in one && typeof one.sql === "string",
    )
  )
}
