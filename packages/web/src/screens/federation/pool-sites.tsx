// A meta-analysis of a job of which each site has answered by itself: what to pool, forest plot, table.

import { useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import type { ForestLine } from "../../charts/forest-chart.tsx"
import { fixedNumber, percentOf, placesFor, sureOf } from "../../parts/figures/format-number.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Choice } from "../../parts/widgets/choice.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { lazily } from "../../parts/browser/lazily.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import type { Job } from "./job-state.tsx"
import { columnsFor, likely, needsOf, valuesOf, type PoolColumn, type PoolMeasure } from "./pool-choices.ts"

const ForestChart = lazily(async () => (await import("../../charts/forest-chart.tsx")).ForestChart)

type Pooled = Reply<"poolJob">

const measures: readonly PoolMeasure[] = [
  "odds-ratio",
  "risk-ratio",
  "risk-difference",
  "mean",
  "mean-difference",
]

/** The card. */
export function PoolSites({ job }: { readonly job: Job }) {
  const { jobs } = useStrings()
  const [measure, setMeasure] = useState<PoolMeasure>("odds-ratio")
  const [chosen, setChosen] = useState<Readonly<Partial<Record<PoolColumn, string>>>>({})
  const [pooled, setPooled] = useState<Pooled>()
  const { isBusy, trouble, run } = useDoing()
  const answer = job.answer ?? { columns: [], rows: [] }
  const by = chosen.by ?? likely(answer, "by")
  const optionsOf = (name: PoolColumn): readonly string[] =>
    name === "first" || name === "second" ? valuesOf(answer, by) : columnsFor(answer, name)
  const needs = needsOf(measure)
  const valueOf = (name: PoolColumn): string => {
    const groups = valuesOf(answer, by)
    const usual = { first: groups[0] ?? "", second: groups[1] ?? "" }
    return chosen[name] ?? (name === "first" || name === "second" ? usual[name] : likely(answer, name))
  }
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const query = Object.fromEntries(needs.map((name) => [name, valueOf(name)]))
      const { count = "", ...others } = query
      setPooled(await call("poolJob", { params: { job: job.id }, query: { measure, count, ...others } }))
    })
  }
  return (
    <section className="card stack">
      <div>
        <h2>{jobs.pool}</h2>
        <p className="small soft">{jobs.poolHelp}</p>
      </div>
      <form className="form" onSubmit={send}>
        <div className="form-grid">
          <Choice
            label={jobs.measure}
            value={measure}
            onChange={setMeasure}
            options={measures.map((id) => ({ id, text: jobs.measures[id] }))}
          />
          {needs.map((name) => (
            <Choice
              key={name}
              label={jobs.columns[name]}
              value={valueOf(name)}
              onChange={(value) => setChosen({ ...chosen, [name]: value })}
              options={optionsOf(name).map((id) => ({ id, text: id }))}
            />
          ))}
        </div>
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} free />}
        <div>
          <Button type="submit" variant="primary" isDisabled={isBusy}>
            {jobs.poolNow}
          </Button>
        </div>
      </form>
      {pooled === undefined ? null : <Forest pooled={pooled} measure={jobs.measures[measure]} />}
    </section>
  )
}

function Forest({ pooled, measure }: { readonly pooled: Pooled; readonly measure: string }) {
  const { jobs } = useStrings()
  const locale = useLocale()
  const { sites, fixed, random, hartungKnapp, leftOut, q, degrees, inconsistency } = pooled
  const lines: readonly ForestLine[] = [
    ...sites.map(({ site, ...one }) => ({ ...one, name: site })),
    { ...fixed, name: jobs.fixed },
    { ...random, name: jobs.random },
    { ...hartungKnapp, name: jobs.hartungKnapp },
  ]
  const places = Math.max(2, placesFor([0.5], [(fixed.high - fixed.low) / 2]))
  const number = (value: number): string => fixedNumber(value, places, locale)
  return (
    <div className="stack">
      <ForestChart
        lines={lines}
        axis={measure}
        isRatio={pooled.scale === "logarithm"}
        label={jobs.forest(measure)}
      />
      <div className="scroll" tabIndex={0} role="region" aria-label={jobs.pool}>
        <table>
          <thead>
            <tr>
              <th scope="col">{jobs.sites}</th>
              <th scope="col" className="number">
                {measure}
              </th>
              <th scope="col" className="number">
                {jobs.interval(sureOf(pooled.confidence, locale))}
              </th>
              <th scope="col" className="number">
                {jobs.weight}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, value, low, high, weight }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="number">{number(value)}</td>
                <td className="number">
                  {number(low)} – {number(high)}
                </td>
                <td className="number">{weight === undefined ? "" : percentOf(weight, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="small soft">
        {jobs.between(fixedNumber(q, 2, locale), degrees, percentOf(inconsistency, locale))}
      </p>
      {leftOut.length === 0 ? null : <p className="small">{jobs.drowned(leftOut.join(", "))}</p>}
    </div>
  )
}
