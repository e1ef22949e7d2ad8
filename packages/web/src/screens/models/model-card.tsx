// The card of a model: its dose, how good it is, its coefficients with their intervals, and its files.

import { Fragment, useState } from "react"
import { lazily } from "../../parts/browser/lazily.tsx"
import { saveFile } from "../../parts/browser/save-file.ts"
import { lossNumber, percentOf, sureOf } from "../../parts/figures/format-number.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { Coefficients } from "./coefficients.tsx"
import { Curves } from "./curves.tsx"
import { aucUnknown, isPlacing, wordsOf, type Card } from "./model-draft.ts"
import { PlacedParts } from "./placed-parts.tsx"

const RocChart = lazily(async () => (await import("../../charts/roc-chart.tsx")).RocChart)

interface CardProps {
  readonly card: Card
  /** What was paid, in words; empty where it cost nothing. */
  readonly paid: string | undefined
}

/** The card. */
export function ModelCard({ card, paid }: CardProps) {
  const { models } = useStrings()
  const locale = useLocale()
  const { dose, model, target, rows, columns } = card
  const facts: readonly (readonly [string, string])[] = [
    [models.model, wordsOf(models.kinds, model)],
    ...(target === null ? [] : [[models.target, target] as const]),
    [models.columns, columns.join(", ")],
    [models.rows, models.about(rows.toLocaleString(locale))],
    [
      models.dose,
      models.doseOf(
        lossNumber(Number(dose.epsilon), locale),
        lossNumber(Number(dose.delta), locale),
        dose.unit,
      ),
    ],
    [models.loss, dose.loss],
  ]
  return (
    <>
      <section className="card stack" aria-label={models.card}>
        <h2>{models.card}</h2>
        {paid === undefined ? null : <p role="status">{paid === "" ? models.free : models.paid(paid)}</p>}
        <dl className="facts">
          {facts.map(([term, text]) => (
            <Fragment key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </Fragment>
          ))}
        </dl>
        <Files card={card} />
      </section>
      <Quality quality={card.quality} />
      {isPlacing(model) ? (
        <section className="card stack" aria-label={wordsOf(models.kinds, model)}>
          <h2>{wordsOf(models.kinds, model)}</h2>
          <p className="small soft">
            {(model === "k-means" ? models.groupsHelp : models.componentsHelp)(
              sureOf(Number(card.confidence), locale),
            )}
          </p>
          <PlacedParts card={card} />
        </section>
      ) : model === "boosting" || model === "bayes" ? (
        <section className="card stack" aria-label={models.curves}>
          <h2>{models.curves}</h2>
          <p className="small soft">{models.curvesHelp(sureOf(Number(card.confidence), locale))}</p>
          <Curves card={card} />
        </section>
      ) : (
        <section className="card stack" aria-label={models.coefficients}>
          <h2>{models.coefficients}</h2>
          <p className="small soft">{models.coefficientsHelp(sureOf(Number(card.confidence), locale))}</p>
          <Coefficients card={card} />
        </section>
      )}
    </>
  )
}

function Quality({ quality }: Pick<Card, "quality">) {
  const { models } = useStrings()
  const locale = useLocale()
  const short = (value: number): string => value.toLocaleString(locale, { maximumSignificantDigits: 3 })
  const share = (value: number): string => percentOf(Math.min(1, Math.max(0, value)), locale)
  return (
    <section className="card stack" aria-label={models.quality}>
      <h2>{models.quality}</h2>
      {quality.kind === "curve" && quality.aucError >= aucUnknown ? <p>{models.aucUnknown}</p> : null}
      {quality.kind === "curve" && quality.aucError < aucUnknown ? (
        <>
          <p>{models.auc(short(quality.auc), short(quality.aucError))}</p>
          {Math.abs(quality.auc - 0.5) < 2 * quality.aucError ? <p>{models.aucNothing}</p> : null}
          <RocChart
            points={quality.points}
            falseAlarms={models.falseAlarms}
            found={models.found}
            label={models.rocLabel(short(quality.auc))}
          />
        </>
      ) : null}
      {quality.kind === "explained" ? (
        <p>{models.explained(short(quality.rSquared), short(quality.meanSquare))}</p>
      ) : null}
      {quality.kind === "classes" ? (
        <p>{models.classes(share(quality.accuracy), share(quality.commonest))}</p>
      ) : null}
      {quality.kind === "spread" ? (
        <p>
          {quality.shareError >= aucUnknown
            ? models.shareUnknown
            : models.holds(share(quality.share), share(quality.shareError))}
        </p>
      ) : null}
      <p className="small soft">{models.qualityHelp}</p>
    </section>
  )
}

function Files({ card: { files, model, target } }: { readonly card: Card }) {
  const { models } = useStrings()
  const [saved, setSaved] = useState("")
  const { onnx } = files
  const name = target === null ? model : `${model}-${target.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-")}`
  const save = (file: string, content: string | Uint8Array<ArrayBuffer>, type: string): void => {
    saveFile(file, content, type)
    setSaved(models.saved(file))
  }
  const help = onnx === null ? models.jsonHelp : models.filesHelp
  return (
    <>
      <div className="row">
        <Button onPress={() => save(`${name}.json`, files.json, "application/json")}>{models.json}</Button>
        {onnx === null ? null : (
          <Button onPress={() => save(`${name}.onnx`, bytesOf(onnx), "application/octet-stream")}>
            {models.onnx}
          </Button>
        )}
      </div>
      <p role="status" className="small soft">
        {saved === "" ? help : saved}
      </p>
    </>
  )
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (sign) => sign.codePointAt(0) ?? 0)
}
