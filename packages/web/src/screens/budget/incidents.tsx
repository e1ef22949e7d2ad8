// The alarm: questions that failed after they were charged, and the form that opens again what they have
// closed. Only people who see the audit trail see it; nothing is drawn without an open incident.

import { useCallback, useState } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Dialog } from "../../parts/widgets/dialog.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

type Incident = Reply<"listIncidents">["items"][number]

/** The alarm, on a page that owners look at. */
export function Incidents() {
  const { incidents } = useStrings()
  const { can } = useSession()
  const { load, reload } = useLoad(
    useCallback(async () => (can("see-audit") ? (await call("listIncidents")).items : []), [can]),
  )
  if (load.kind === "loading") return null
  if (load.kind === "trouble") return <TroubleNotice trouble={load.trouble} onRetry={reload} />
  const open = load.value.filter(({ closes }) => closes !== null)
  if (open.length === 0) return null
  return (
    <Notice title={incidents.title} tone="refused" role="alert">
      <p>{incidents.lead}</p>
      <ul>
        {open.map((incident) => (
          <OneIncident key={incident.position} incident={incident} onSeen={reload} />
        ))}
      </ul>
    </Notice>
  )
}

function OneIncident({ incident, onSeen }: { readonly incident: Incident; readonly onSeen: () => void }) {
  const { incidents } = useStrings()
  const { can } = useSession()
  const locale = useLocale()
  const [isOpen, setOpen] = useState(false)
  const { position, at, principal, study, cause, closes, question } = incident
  const where = study === null ? principal : `${principal}, ${study}`
  return (
    <li>
      <p>
        <Tag tone="refused">{incidents.causes[cause]}</Tag> {incidents.one(`${position}`)}, {where},{" "}
        <time dateTime={at}>{new Date(at).toLocaleString(locale)}</time>
        {". "}
        {closes === "approvals" ? incidents.closesApprovals(study ?? "") : incidents.closesDoor(principal)}
      </p>
      {question === null ? null : <pre className="small">{question}</pre>}
      {can("operate") ? (
        <Button size="small" onPress={() => setOpen(true)}>
          {incidents.acknowledge}
        </Button>
      ) : null}
      <Acknowledge incident={incident} isOpen={isOpen} onClose={() => setOpen(false)} onSeen={onSeen} />
    </li>
  )
}

interface AcknowledgeProps {
  readonly incident: Incident
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSeen: () => void
}

function Acknowledge({ incident, isOpen, onClose, onSeen }: AcknowledgeProps) {
  const { incidents, app } = useStrings()
  const [reason, setReason] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const acknowledge = (): void =>
    run(async () => {
      const params = { position: `${incident.position}` }
      await call("acknowledgeIncident", { params, body: { reason: reason.trim() } })
      onClose()
      onSeen()
    })
  return (
    <Dialog title={incidents.acknowledge} isOpen={isOpen} onClose={onClose}>
      <p>{incidents.sure}</p>
      <Field
        label={incidents.reason}
        help={incidents.reasonHelp}
        value={reason}
        onChange={setReason}
        isRequired
      />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div className="row row-end">
        <Button onPress={onClose}>{app.cancel}</Button>
        <Button variant="danger" isDisabled={isBusy || reason.trim() === ""} onPress={acknowledge}>
          {incidents.acknowledge}
        </Button>
      </div>
    </Dialog>
  )
}
