// The first step of the guided set-up: which files, and what they are called together.

import { useState } from "react"
import { FileTrigger } from "react-aria-components"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { datasetName, type GuideState } from "./guide-state.ts"
import { readBeginning } from "./read-beginning.ts"
import { tableOfFile, type FileTable, type NoTable } from "./table-of-file.ts"

interface FilesProps {
  readonly state: GuideState
  readonly onChange: (state: GuideState) => void
}

interface Unusable {
  readonly file: string
  readonly why: NoTable | "unread" | "mixed"
}

/** The step. */
export function GuideFiles({ state, onChange }: FilesProps) {
  const { guide } = useStrings()
  const [unusable, setUnusable] = useState<readonly Unusable[]>([])
  const add = async (chosen: readonly File[]): Promise<void> => {
    const read = await Promise.all(chosen.map(readTable))
    const { files, left } = joined(state.files, read)
    setUnusable(left)
    onChange({ ...state, files })
  }
  return (
    <section className="card stack">
      <p>{guide.pickHelp}</p>
      <div className="row">
        <FileTrigger
          allowsMultiple
          acceptedFileTypes={[".csv", ".tsv", ".ndjson", ".jsonl", ".gz"]}
          onSelect={(list) => void add([...(list ?? [])])}
        >
          <Button variant={state.files.length === 0 ? "primary" : "plain"}>{guide.pick}</Button>
        </FileTrigger>
      </div>
      {unusable.length === 0 ? null : (
        <Notice tone="refused" role="alert">
          <ul>
            {unusable.map(({ file, why }) => (
              <li key={file}>{guide.problems[why](file)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {state.files.length === 0 ? null : (
        <>
          <Files state={state} onChange={onChange} />
          <Field
            label={guide.name}
            help={guide.nameHelp}
            value={state.dataset === "" ? datasetName(state.files) : state.dataset}
            onChange={(dataset) => onChange({ ...state, dataset })}
            isCode
          />
        </>
      )}
      <p className="small soft">{guide.otherSources}</p>
    </section>
  )
}

function Files({ state, onChange }: FilesProps) {
  const { guide } = useStrings()
  const locale = useLocale()
  const remove = (file: string): void =>
    onChange({ ...state, files: state.files.filter((other) => other.file !== file) })
  return (
    <>
      <div className="scroll" tabIndex={0} role="region" aria-label={guide.file}>
        <table>
          <thead>
            <tr>
              <th scope="col">{guide.file}</th>
              <th scope="col">{guide.table}</th>
              <th scope="col">{guide.columns}</th>
              <th scope="col">{guide.rows}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {state.files.map(({ file, table, rows, isWhole }) => {
              const count = rows.toLocaleString(locale)
              return (
                <tr key={file}>
                  <th scope="row">{file}</th>
                  <td>
                    <code>{table.name}</code>
                  </td>
                  <td>{table.columns.length}</td>
                  <td>{isWhole ? guide.allRows(count) : guide.firstRows(count)}</td>
                  <td>
                    <Button size="small" label={`${guide.remove} ${file}`} onPress={() => remove(file)}>
                      {guide.remove}
                    </Button>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {state.files.every(({ isWhole }) => isWhole) ? null : <p className="small soft">{guide.guessed}</p>}
    </>
  )
}

async function readTable(file: File): Promise<FileTable | Unusable> {
  // The cause does not matter here: all that a person can do is choose the file again.
  const begun = await readBeginning(file).catch(() => undefined)
  const read = begun === undefined ? "unread" : tableOfFile(file.name, begun.text, begun.isWhole)
  return typeof read === "string" ? { file: file.name, why: read } : read
}

/** Files by table name. Of two with the same name the later one counts; all have the format of the first. */
function joined(known: readonly FileTable[], read: readonly (FileTable | Unusable)[]) {
  const files = new Map(known.map((file) => [file.table.name.toLowerCase(), file]))
  const left: Unusable[] = []
  for (const one of read) {
    if ("why" in one) left.push(one)
    else if ([...files.values()].some(({ format }) => format !== one.format)) {
      left.push({ file: one.file, why: "mixed" })
    } else files.set(one.table.name.toLowerCase(), one)
  }
  return { files: [...files.values()], left }
}
