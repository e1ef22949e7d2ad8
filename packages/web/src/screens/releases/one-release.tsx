// One release: its answer, free to look at again, and the receipt with what was promised for it.

import { DosimeterError } from "@dosimeter/core"
import { exactly, numberUp } from "@dosimeter/core/exact"
import { useCallback } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import type { BoundingTexts, Receipt } from "@dosimeter/answers/shown/receipt"
import { scaledWords } from "@dosimeter/answers/shown/scaled-words"
import { receiptOf } from "../../parts/figures/receipt.ts"
import { Link } from "../../parts/browser/router.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { ReleaseAnswers } from "./release-answers.tsx"
import { WhatWasAsked } from "./what-was-asked.tsx"

type Release = Reply<"getRelease">

/** The screen of one release. */
export function OneRelease({ position }: { readonly position: string }) {
  const { releases } = useStrings()
  const loaded = useLoad(useCallback(() => call("getRelease", { params: { position } }), [position]))
  const title = loaded.load.kind === "ready" ? loaded.load.value.title : null
  return (
    <>
      <PageHead
        title={title ?? releases.one(position)}
        {...(title === null ? {} : { lead: releases.one(position) })}
      >
        <Link to="/releases" className="button">
          {releases.title}
        </Link>
        <Button onPress={() => print()}>{releases.print}</Button>
      </PageHead>
      <Loaded of={loaded}>{(release) => <Whole release={release} onChanged={loaded.reload} />}</Loaded>
    </>
  )
}

interface WholeProps {
  readonly release: Release
  readonly onChanged: () => void
}

function Whole({ release, onChanged }: WholeProps) {
  const { ask } = useStrings()
  const receipt = receiptOf(release.receipt)
  return (
    <div className="stack">
      <WhatWasAsked release={release} onChanged={onChanged} />
      <section className="card stack" aria-label={ask.result}>
        <ReleaseAnswers release={release} />
      </section>
      {receipt === undefined ? null : <ReceiptCard receipt={receipt} release={release} />}
    </div>
  )
}

/** Whether the receipt says the same as the entry of the ledger: its place, plan, time and loss. */
function agrees({ ledger, planHash, loss }: Receipt, release: Release): boolean {
  return (
    ledger.position === `${release.position}` &&
    planHash === release.planHash &&
    new Date(ledger.at).getTime() === new Date(release.at).getTime() &&
    loss.accounting === release.accounting &&
    isSame(loss.amount, release.amount) &&
    isSame(loss.delta, release.delta)
  )
}

/** Whether an exact amount of a receipt is the amount of an entry, which is rounded up to a double. */
function isSame(exact: string, entered: string): boolean {
  try {
    return numberUp(exactly(exact, "loss")) === Number(entered)
  } catch (error) {
    // An amount that cannot be read agrees with nothing.
    if (!(error instanceof DosimeterError)) throw error
    return false
  }
}

function ReceiptCard({ receipt, release }: { readonly receipt: Receipt; readonly release: Release }) {
  const { releases, data, ask } = useStrings()
  const locale = useLocale()
  const isSound = agrees(receipt, release)
  const epsilon = Number(release.epsilon ?? Number.NaN)
  const cost = Number.isFinite(epsilon)
    ? releases.costAlone(lossNumber(epsilon, locale), receipt.loss.words)
    : receipt.loss.words
  const facts: readonly (readonly [string, string])[] = [
    [releases.when, new Date(receipt.ledger.at).toLocaleString(locale)],
    [releases.who, release.principal],
    [releases.study, release.study ?? "–"],
    [releases.cost, cost],
    [releases.protects, `${data.protects(receipt.unit)} ${data.neighbours[receipt.neighbours]}`],
    [ask.bounding, receipt.bounding.map(words).join("; ")],
    [releases.publicParts, receipt.public.join("; ")],
    [ask.notes, receipt.notes.join("; ")],
    [releases.plan, receipt.planHash],
    [releases.ledger, `${receipt.id}, ${receipt.ledger.hash}`],
    [releases.software, receipt.library],
  ]
  return (
    <section className="card stack">
      <div>
        <h2>{releases.receipt}</h2>
        <p className="soft">{releases.receiptLead}</p>
      </div>
      <Notice tone={isSound ? "good" : "refused"} role="status">
        {isSound ? releases.verified : releases.unverified}
      </Notice>
      <dl className="facts">
        {facts
          .filter(([, text]) => text !== "")
          .map(([name, text]) => (
            <Fact key={name} name={name} text={text} />
          ))}
      </dl>
      <details>
        <summary>JSON</summary>
        <pre className="small">{JSON.stringify(release.receipt, null, 2)}</pre>
      </details>
    </section>
  )
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  )
}

/** "groups per unit 4 (why), rows per group 1". */
function words(bounding: BoundingTexts): string {
  const { groupsPerUnit, groupsProof, rowsPerGroup, rowsProof, scaled, norm, scaledTo } = bounding
  const parts = scaledTo === undefined ? "" : scaledWords(scaledTo)
  const beyond = parts === "" ? "" : `; ${parts}`
  if (norm !== undefined) return `scaled to at most ${norm} (${scaled})${beyond}`
  if (scaled !== undefined)
    return `scaled to ${rowsPerGroup} rows in each of ${groupsPerUnit} groups (${scaled})${beyond}`
  const why = (proof: string | undefined): string => (proof === undefined ? "" : ` (${proof})`)
  return `groups per unit ${groupsPerUnit}${why(groupsProof)}, rows per group ${rowsPerGroup}${why(rowsProof)}`
}
