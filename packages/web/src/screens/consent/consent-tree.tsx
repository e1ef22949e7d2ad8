// What somebody's data is read for: the purposes as a tree, each with what holds and by which decision, as
// the server applies it. One press says yes or no to one; one press leaves everything.

import { call, type Reply } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Switch } from "../../parts/widgets/choice.tsx"
import { Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { usePurposeText } from "../../parts/studies/purpose-text.ts"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { purposeTree, type PurposeNode } from "./purpose-tree.ts"

type Consent = Reply<"getConsent">
type Purpose = Consent["purposes"][number]

interface ConsentTreeProps {
  readonly consent: Consent
  readonly onChanged: () => void
}

/** The card with the switches, or that nobody is asked. */
export function ConsentTree({ consent: { mode, countsFrom, purposes }, onChanged }: ConsentTreeProps) {
  const { consent } = useStrings()
  const textOf = usePurposeText()
  const { isBusy, trouble, run } = useDoing()
  const decide = (code: string, isOn: boolean): void =>
    run(async () => {
      await call("setConsent", { body: { purpose: code, decision: isOn ? "given" : "withdrawn" } })
      tell(consent.saved(textOf(code).name))
      onChanged()
    })
  const leaveAll = (): void =>
    run(async () => {
      try {
        for (const { item } of tree) {
          await call("setConsent", { body: { purpose: item.code, decision: "withdrawn", narrower: true } })
          tell(consent.saved(textOf(item.code).name))
        }
      } finally {
        // If one decision failed, those before it are in force, so the state is loaded again.
        onChanged()
      }
    })
  const tree = purposeTree(purposes)
  if (mode === null) {
    return (
      <section className="card stack-tight">
        <h2>{consent.switches}</h2>
        <Notice title={consent.notAsked} role="note">
          <p>{consent.notAskedHelp}</p>
        </Notice>
      </section>
    )
  }
  const isInAny = purposes.some(({ includedNext }) => includedNext)
  return (
    <section className="card stack">
      <div>
        <h2>{consent.switches}</h2>
        <p className="soft">
          {consent.modes[mode]} {consent.rule} {consent.switchHelp[countsFrom]}
        </p>
      </div>
      <Level nodes={tree} isBusy={isBusy} onDecide={decide} />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      {isInAny ? (
        <div>
          <Button variant="danger" isDisabled={isBusy} onPress={leaveAll}>
            {consent.leaveAll}
          </Button>
        </div>
      ) : null}
    </section>
  )
}

interface LevelProps {
  readonly nodes: readonly PurposeNode<Purpose>[]
  readonly isBusy: boolean
  readonly onDecide: (code: string, isOn: boolean) => void
}

function Level({ nodes, isBusy, onDecide }: LevelProps) {
  const textOf = usePurposeText()
  return (
    <ul className="plain consent-tree">
      {nodes.map(({ item, inside }) => (
        <li key={item.code}>
          <Switch isOn={item.includedNext} isDisabled={isBusy} onChange={(isOn) => onDecide(item.code, isOn)}>
            <b>{textOf(item.code, item.name).name}</b>
            <br />
            <span className="small">{textOf(item.code).means}</span>
            <br />
            <span className="small">
              <Why purpose={item} /> <span className="soft">· {item.code}</span>
            </span>
          </Switch>
          {inside.length === 0 ? null : <Level nodes={inside} isBusy={isBusy} onDecide={onDecide} />}
        </li>
      ))}
    </ul>
  )
}

/** "Yes, because you said yes to general research use." */
function Why({ purpose: { code, included, includedNext, because } }: { readonly purpose: Purpose }) {
  const { consent } = useStrings()
  const textOf = usePurposeText()
  const yesOrNo = includedNext ? consent.yes : consent.no
  const reason =
    because === null
      ? includedNext
        ? consent.notSaidNo
        : consent.notSaidYes
      : because.purpose === code
        ? because.decision === "given"
          ? consent.saidYes
          : consent.saidNo
        : because.decision === "given"
          ? consent.saidYesTo(textOf(because.purpose).name)
          : consent.saidNoTo(textOf(because.purpose).name)
  return (
    <>
      {yesOrNo}: {reason}
      {included === includedNext ? null : <b> {included ? consent.stillIn : consent.stillOut}</b>}
    </>
  )
}
