// What came of a question: its steps while it runs, then the answer with its receipt, or why it was refused.

import { useEffect, useRef } from "react"
import type { StepName } from "../../api/server.ts"
import { AnswerView } from "../../parts/figures/answer-view.tsx"
import { Button } from "../../parts/widgets/button.tsx"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { Loading, Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import type { Receipt } from "@dosimeter/answers/shown/receipt"
import { confidenceOf, positionOf, receiptOf } from "../../parts/figures/receipt.ts"
import { Tag } from "../../parts/widgets/tag.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import type { Asking } from "./use-asking.ts"

interface AskResultProps {
  readonly asking: Asking
  /** The dataset's, for answers without a receipt of their own. */
  readonly confidence: number
  readonly onStop: () => void
}

/** The lower part of the screen. On a phone it lies below the price, so the page scrolls to it. */
export function AskResult(props: AskResultProps) {
  const place = useRef<HTMLDivElement>(null)
  const { kind } = props.asking
  useEffect(() => {
    if (kind !== "idle") place.current?.scrollIntoView({ block: "nearest" })
  }, [kind])
  return kind === "idle" ? null : (
    <div ref={place} className="scroll-here">
      <Result {...props} />
    </div>
  )
}

function Result({ asking, confidence, onStop }: AskResultProps) {
  switch (asking.kind) {
    case "idle":
      return null
    case "running":
      return <Running step={asking.step} onStop={onStop} />
    case "refused":
      return <Refused asking={asking} />
    case "answered":
      return <Answered asking={asking} confidence={confidence} />
    default:
      return asking satisfies never
  }
}

const steps: readonly StepName[] = ["planned", "charged", "reading", "released"]

function Running({ step, onStop }: { readonly step: StepName | undefined; readonly onStop: () => void }) {
  const { ask } = useStrings()
  const place = step === undefined ? -1 : steps.indexOf(step)
  return (
    <section className="card stack-tight" aria-live="polite">
      <Loading what={ask.running} />
      <ol className="steps">
        {steps.map((name, index) => (
          <li
            key={name}
            {...(index < place ? { "data-done": "" } : {})}
            {...(index === place ? { "aria-current": "step" as const } : {})}
          >
            {ask.steps[name]}
          </li>
        ))}
      </ol>
      {place < 1 ? (
        <div>
          <Button size="small" onPress={onStop}>
            {ask.stop}
          </Button>
        </div>
      ) : null}
    </section>
  )
}

function Refused({ asking }: { readonly asking: Extract<Asking, { readonly kind: "refused" }> }) {
  const { ask, releases } = useStrings()
  const { trouble, isCharged } = asking
  if (trouble.code === "airlock/waiting") {
    return (
      <Notice tone="now" role="status" title={releases.outcomes.waiting}>
        <p>{ask.waiting}</p>
      </Notice>
    )
  }
  if (trouble.code === "budget/exhausted" || trouble.code.startsWith("ledger/exhausted")) {
    return (
      <div className="stack">
        {/* A stage that learnt bounds may be paid for already. */}
        <TroubleNotice trouble={trouble} free={!isCharged} />
        <Notice title={ask.exhausted}>
          <p>{ask.exhaustedHelp}</p>
        </Notice>
      </div>
    )
  }
  return <TroubleNotice trouble={trouble} free={!isCharged && trouble.kind !== "unavailable"} />
}

interface AnsweredProps {
  readonly asking: Extract<Asking, { readonly kind: "answered" }>
  readonly confidence: number
}

function Answered({ asking: { answer }, confidence }: AnsweredProps) {
  const { ask, wanted } = useStrings()
  const locale = useLocale()
  const receipt = receiptOf(answer.receipt)
  const position = positionOf(answer.receipt)
  const share = async (): Promise<void> => {
    await navigator.clipboard.writeText(`${location.origin}/releases/${position ?? ""}`)
    tell(ask.shared)
  }
  return (
    <section className="card stack" aria-live="polite" aria-label={ask.result}>
      <div className="row split">
        <h2>{ask.result}</h2>
        <span className="row">
          <Tag tone={answer.origin === "released" ? "now" : "good"}>{ask.origin[answer.origin]}</Tag>
          {answer.origin === "released" && receipt !== undefined ? (
            <span className="small soft">{ask.charged(costOf(receipt, locale))}</span>
          ) : null}
          {answer.stages
            ?.filter(({ origin }) => origin === "released")
            .map((stage) => {
              const paid = receiptOf(stage.receipt)
              return paid === undefined ? null : (
                <span key={paid.ledger.position} className="small soft">
                  {ask.chargedFirst(costOf(paid, locale))}
                </span>
              )
            })}
        </span>
      </div>
      <AnswerView
        answer={answer}
        confidence={confidenceOf(answer.receipt) ?? confidence}
        name={`release-${position ?? "answer"}`}
        receipt={answer.receipt}
      >
        {position === undefined ? null : (
          <Button size="small" onPress={() => void share()}>
            {ask.share}
          </Button>
        )}
      </AnswerView>
      {answer.bounds?.map(({ label, low, high }) => (
        <p key={label} className="small soft">
          {ask.learnt(label, `${low}`, `${high}`)}
        </p>
      ))}
      {answer.reached !== undefined && answer.reached.of > 1 ? (
        <p className="small soft">{wanted.reached(`${answer.reached.inside}`, `${answer.reached.of}`)}</p>
      ) : null}
    </section>
  )
}

/** The cost as epsilon of this question alone; in the measure's words if it has no epsilon. */
function costOf({ epsilon, loss: { words } }: Receipt, locale: string): string {
  const amount = Number(epsilon)
  return Number.isFinite(amount) ? `ε ${lossNumber(amount, locale)}` : words
}
