// The form for another account: its name, its role, and for participants whose data it is about.

import { useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Choice } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useStrings } from "../../strings/use-strings.ts"

type Role = Reply<"addAccount">["role"]

/** A password that was made up for somebody. */
export interface NewSecret {
  readonly name: string
  readonly password: string
}

/** The form. */
export function AddAccount({ onMade }: { readonly onMade: (secret: NewSecret) => void }) {
  const { accounts, roles, app } = useStrings()
  const [name, setName] = useState("")
  const [role, setRole] = useState<Role>("analyst")
  const [participant, setParticipant] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const names: readonly Role[] = ["analyst", "committee", "community", "owner", "participant", "auditor"]
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const id = role === "participant" ? participant.trim() : ""
      const whose = id === "" ? {} : { participant: id }
      const made = await call("addAccount", { body: { name: name.trim(), role, ...whose } })
      setName("")
      setParticipant("")
      onMade({ name: made.name, password: made.password ?? "" })
    })
  }
  return (
    <form className="card stack" onSubmit={send}>
      <h2>{accounts.add}</h2>
      <div className="form-grid" style={{ alignItems: "start" }}>
        <Field label={accounts.name} value={name} onChange={setName} isRequired autoComplete="off" />
        <Choice
          label={accounts.role}
          value={role}
          onChange={setRole}
          options={names.map((id) => ({ id, text: `${roles[id]}: ${accounts.roleHelp[id]}` }))}
        />
        {role === "participant" ? (
          <Field
            label={`${accounts.participant} (${app.optional})`}
            help={accounts.participantHelp}
            value={participant}
            onChange={setParticipant}
            autoComplete="off"
          />
        ) : null}
      </div>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div>
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {accounts.add}
        </Button>
      </div>
    </form>
  )
}
