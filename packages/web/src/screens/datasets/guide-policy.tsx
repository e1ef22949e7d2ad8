// The last step of the guided set-up: the policy, what is wrong with it at its line, and what to run.

import { Button } from "../../parts/widgets/button.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { saveFile } from "../../parts/browser/save-file.ts"
import { useErrorText } from "../../parts/widgets/use-error-text.ts"
import { useStrings } from "../../strings/use-strings.ts"
import type { DraftPolicy } from "./guide-state.ts"

/** The step. */
export function GuidePolicy({ draft }: { readonly draft: DraftPolicy }) {
  const { guide } = useStrings()
  const { text, problems, open } = draft
  const isSound = problems.length === 0
  return (
    <>
      <Notice tone={isSound ? "good" : "refused"} role="status">
        {isSound ? (
          <p>
            {guide.sound} {guide.tablesOpen(`${open.length}`)}
          </p>
        ) : (
          <p>{guide.wrong(`${problems.length}`)}</p>
        )}
      </Notice>
      <section className="card stack" aria-label={guide.text}>
        <div className="row split">
          <h2>{guide.text}</h2>
          <Button
            variant="primary"
            isDisabled={!isSound}
            onPress={() => saveFile("dosimeter.yaml", text, "application/yaml")}
          >
            {guide.save}
          </Button>
        </div>
        <PolicyLines draft={draft} />
      </section>
      {isSound ? <Commands open={open} /> : null}
    </>
  )
}

/** What to run with the file. */
function Commands({ open }: { readonly open: readonly string[] }) {
  const { guide } = useStrings()
  const commands = [
    ["dosimeter check dosimeter.yaml", guide.afterCheck],
    [`dosimeter explain "SELECT COUNT(*) FROM ${tableIn(open)}"`, guide.afterExplain],
    ["dosimeter serve", guide.afterServe],
  ] as const
  return (
    <section className="card stack">
      <h2>{guide.after}</h2>
      <p>{guide.afterHelp}</p>
      <div className="commands">
        {commands.map(([command, what]) => (
          <div key={command}>
            <code>{command}</code>
            <span className="small soft">{what}</span>
          </div>
        ))}
      </div>
    </section>
  )
}

function PolicyLines({ draft: { text, problems } }: { readonly draft: DraftPolicy }) {
  const textOf = useErrorText()
  const lines = text.trimEnd().split("\n")
  return (
    <ol className="policy-lines">
      {lines.map((line, place) => (
        // A line is identified by its number.
        <li key={`${place}`}>
          <code>{line === "" ? " " : line}</code>
          {problems
            .filter((problem) => problem.line === place + 1)
            .map(textOf)
            .map(({ message, help }) => (
              <p key={message} className="policy-problem">
                {message}
                {help === undefined ? "" : ` (${help})`}
              </p>
            ))}
        </li>
      ))}
    </ol>
  )
}

/** A table to begin with, as SQL names it. */
function tableIn([first]: readonly string[]): string {
  if (first === undefined) return "TABLE"
  return /^[a-z_][a-z0-9_]*$/.test(first) ? first : String.raw`\"${first}\"`
}
