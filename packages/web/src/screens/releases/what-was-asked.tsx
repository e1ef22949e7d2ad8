// The question behind a release, if this person may see it, and its title.

import { useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { keep } from "../../parts/browser/kept.ts"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useRouter } from "../../parts/browser/router.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useStrings } from "../../strings/use-strings.ts"

type Release = Reply<"getRelease">

interface WhatWasAskedProps {
  readonly release: Release
  readonly onChanged: () => void
}

/** The card above the answer. */
export function WhatWasAsked({ release, onChanged }: WhatWasAskedProps) {
  const { releases } = useStrings()
  const { me, can } = useSession()
  const { go } = useRouter()
  const { question, questionWithheld, principal } = release
  const again = (text: string): void => {
    keep(`draft.${me.name}`, text)
    go("/ask")
  }
  return (
    <section className="card stack">
      <h2>{releases.question}</h2>
      {question === null ? (
        <p className="soft">{questionWithheld ? releases.withheld : releases.noText}</p>
      ) : (
        <>
          <pre className="small">{question}</pre>
          {can("ask") ? (
            <div className="no-print">
              <Button size="small" onPress={() => again(question)}>
                {releases.askAgain}
              </Button>
            </div>
          ) : null}
        </>
      )}
      {principal === me.name || me.role === "owner" ? (
        <TitleForm release={release} onChanged={onChanged} />
      ) : null}
    </section>
  )
}

function TitleForm({ release, onChanged }: WhatWasAskedProps) {
  const { releases } = useStrings()
  const [title, setTitle] = useState(release.title ?? "")
  const { isBusy, trouble, run } = useDoing()
  const save = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      await call("setReleaseTitle", { params: { position: `${release.position}` }, body: { title } })
      tell(releases.titleSaved)
      onChanged()
    })
  }
  return (
    <form className="form no-print" onSubmit={save}>
      <Field label={releases.giveTitle} help={releases.titleHelp} value={title} onChange={setTitle} />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div>
        <Button type="submit" size="small" isDisabled={isBusy || title.trim() === (release.title ?? "")}>
          {releases.saveTitle}
        </Button>
      </div>
    </form>
  )
}
