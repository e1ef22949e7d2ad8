// The actions that a person can take on a study in its present state.

import { useState } from "react"
import { call } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Dialog } from "../../parts/widgets/dialog.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { ReasonsField } from "../../parts/widgets/reasons-field.tsx"
import { Link } from "../../parts/browser/router.tsx"
import { useSession, type Me } from "../../parts/browser/session.tsx"
import type { Study } from "../../parts/studies/study-facts.tsx"
import { useStrings } from "../../strings/use-strings.ts"

interface StudyMovesProps {
  readonly study: Study
  readonly onChanged: () => void
}

type Move = "submitStudy" | "activateStudy" | "closeStudy" | "suspendStudy" | "resumeStudy"

/** The actions that the state and the person's rights allow; the server checks them again. */
function movesFor({ state, suspended, people }: Study, { name, rights }: Me): readonly Move[] {
  const isMember = people.includes(name)
  const maySuspend = rights.includes("suspend-studies") && state === "active"
  return [
    ...(state === "draft" && isMember ? (["submitStudy"] as const) : []),
    ...(state === "approved" && rights.includes("activate-studies") ? (["activateStudy"] as const) : []),
    ...(maySuspend && !suspended ? (["suspendStudy"] as const) : []),
    ...(maySuspend && suspended ? (["resumeStudy"] as const) : []),
    ...(state === "active" && (isMember || rights.includes("activate-studies"))
      ? (["closeStudy"] as const)
      : []),
  ]
}

/** Buttons for these actions. */
export function StudyMoves({ study, onChanged }: StudyMovesProps) {
  const { studies, app } = useStrings()
  const { me } = useSession()
  const [asked, setAsked] = useState<Move>()
  const [reasons, setReasons] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const titles: Readonly<Record<Move, string>> = {
    submitStudy: studies.submit,
    activateStudy: studies.activate,
    closeStudy: studies.close,
    suspendStudy: studies.suspend,
    resumeStudy: studies.resume,
  }
  const make = (move: Move): void =>
    run(async () => {
      await send(move, study.id, reasons)
      setAsked(undefined)
      setReasons("")
      onChanged()
    })
  const mayAsk = study.state === "active" && !study.suspended && study.people.includes(me.name)
  return (
    <>
      <div className="row">
        {mayAsk ? (
          <Link to={`/ask?study=${study.id}`} className="button">
            {studies.askIn}
          </Link>
        ) : null}
        {movesFor(study, me).map((move) => (
          <Button
            key={move}
            variant={move === "submitStudy" || move === "activateStudy" ? "primary" : "plain"}
            isDisabled={isBusy}
            onPress={() => (move === "submitStudy" || move === "activateStudy" ? make(move) : setAsked(move))}
          >
            {titles[move]}
          </Button>
        ))}
      </div>
      {trouble === undefined || asked !== undefined ? null : <TroubleNotice trouble={trouble} />}
      <Dialog
        title={asked === undefined ? "" : titles[asked]}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
      >
        {asked === "closeStudy" ? (
          <p>{studies.closeSure}</p>
        ) : (
          <ReasonsField value={reasons} onChange={setReasons} />
        )}
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
        <div className="row row-end">
          <Button onPress={() => setAsked(undefined)}>{app.cancel}</Button>
          <Button variant="danger" isDisabled={isBusy} onPress={() => asked !== undefined && make(asked)}>
            {asked === undefined ? "" : titles[asked]}
          </Button>
        </div>
      </Dialog>
    </>
  )
}

async function send(move: Move, id: string, reasons: string): Promise<void> {
  const params = { id }
  if (move === "suspendStudy" || move === "resumeStudy") await call(move, { params, body: { reasons } })
  else await call(move, { params })
}
