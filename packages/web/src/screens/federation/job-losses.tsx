// What the answer of a job tells of anybody at most, and of whom: the public, a site, the coordinator.

import type { Reply } from "../../api/server.ts"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { amountIn } from "./amount-in.ts"

type FederatedReceipt = NonNullable<Reply<"getJob">["receipt"]>

/** The card. */
export function JobLosses({ receipt }: { readonly receipt: FederatedReceipt }) {
  const { jobs } = useStrings()
  const locale = useLocale()
  const { toPublic, toSite, toCoordinator, atSites, loss, lost } = receipt
  const shown = ({ epsilon, delta }: { readonly epsilon: string; readonly delta: string }): string =>
    jobs.against(lossNumber(amountIn(epsilon), locale), lossNumber(amountIn(delta), locale))
  const several = atSites.filter(({ sites }) => sites > 1)
  return (
    <section className="card stack">
      <h2>{jobs.protects}</h2>
      <dl className="facts">
        <dt>{jobs.toPublic}</dt>
        <dd className="figure">{shown(toPublic)}</dd>
        <dt>{jobs.toSite}</dt>
        <dd className="figure">{shown(toSite)}</dd>
        <dt>{jobs.toCoordinator(toCoordinator.colluding)}</dt>
        <dd className="figure">{shown(toCoordinator)}</dd>
        {several.map((one) => (
          <FactOf key={one.sites} term={jobs.atSites(one.sites)} text={shown(one)} />
        ))}
        <dt>{jobs.charged}</dt>
        <dd className="figure">
          {loss.accounting === "zcdp" ? "ρ" : "ε"} {lossNumber(amountIn(loss.amount), locale)}
        </dd>
        {lost.length === 0 ? null : <FactOf term={jobs.leftOut} text={lost.join(", ")} />}
      </dl>
    </section>
  )
}

function FactOf({ term, text }: { readonly term: string; readonly text: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd className="figure">{text}</dd>
    </>
  )
}
