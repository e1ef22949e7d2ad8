// Answers that wait for an approval before they leave: the reviewer sees them as they would leave.

import { useCallback, useState } from "react"
import type { Answer } from "../../api/answer.ts"
import { call, type Reply } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { AnswerTable } from "../../parts/figures/answer-table.tsx"
import { Button } from "../../parts/widgets/button.tsx"
import { DecisionForm, type Decided } from "../../parts/widgets/decision-form.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { confidenceOf } from "../../parts/figures/receipt.ts"
import { useSession } from "../../parts/browser/session.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

type Held = Reply<"listHeld">["items"][number]

/** The list; nothing is drawn if no answer waits. */
export function HeldReleases() {
  const { reviews } = useStrings()
  const { can } = useSession()
  const loaded = useLoad(
    useCallback(async () => (can("review-releases") ? (await call("listHeld")).items : []), [can]),
  )
  return (
    <Loaded of={loaded}>
      {(items) => {
        const waiting = items.filter(({ state }) => state === "waiting")
        if (waiting.length === 0) return null
        return (
          <section className="stack" style={{ marginTop: "var(--space-5)" }}>
            <div>
              <h2>{reviews.airlock}</h2>
              <p className="soft">{reviews.airlockHelp}</p>
            </div>
            {waiting.map((held) => (
              <OneHeld key={`${held.study} ${held.release}`} held={held} onChanged={loaded.reload} />
            ))}
          </section>
        )
      }}
    </Loaded>
  )
}

function OneHeld({ held, onChanged }: { readonly held: Held; readonly onChanged: () => void }) {
  const { reviews, releases, incidents } = useStrings()
  const locale = useLocale()
  const [isOpen, setOpen] = useState(false)
  const { release, study, askedBy, askedAt, question, failed } = held
  const decide = async (decided: Decided<"approve" | "refuse">): Promise<void> => {
    await call("reviewHeld", { params: { release }, body: { ...decided, study } })
    tell(reviews.done(releases.one(release)))
    onChanged()
  }
  return (
    <article className="card stack">
      <div>
        <h3>{releases.one(release)}</h3>
        <p className="small soft">
          {reviews.askedBy(askedBy, study)}, {new Date(askedAt).toLocaleString(locale)}
        </p>
      </div>
      <pre className="small">{question}</pre>
      {failed ? <Notice tone="refused">{incidents.failed}</Notice> : null}
      {isOpen ? (
        <HeldAnswer release={release} study={study} />
      ) : (
        <div>
          <Button onPress={() => setOpen(true)}>{reviews.look}</Button>
        </div>
      )}
      <DecisionForm
        yes={{ decision: "approve", text: reviews.approve }}
        no={{ decision: "refuse", text: reviews.refuse }}
        onDecide={decide}
      />
    </article>
  )
}

function HeldAnswer({ release, study }: { readonly release: string; readonly study: string }) {
  const { ask } = useStrings()
  const loaded = useLoad(
    useCallback(() => call("getHeld", { params: { release }, query: { study } }), [release, study]),
  )
  return (
    <Loaded of={loaded}>
      {({ answer, receipt }) => (
        <>
          {tablesIn(answer).map((table, index) => (
            <AnswerTable key={index} answer={table} confidence={confidenceOf(receipt)} caption={ask.result} />
          ))}
        </>
      )}
    </Loaded>
  )
}

/** One table, or several where questions were asked together. */
function tablesIn(value: unknown): readonly Answer[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter(isTable)
}

function isTable(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && "columns" in value && "rows" in value
}
