// The editor for SQL: CodeMirror with completion from the catalog and marks where the compiler objects.

import {
  autocompletion,
  closeBrackets,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { PostgreSQL } from "@codemirror/lang-sql"
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint"
import { EditorState } from "@codemirror/state"
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  type KeyBinding,
} from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { use, useEffect, useRef } from "react"
import { errorText } from "../../strings/error-text.ts"
import { LanguageContext } from "../../strings/use-strings.ts"
import type { KnownTable, PriceIssue } from "../../workers/price.ts"
import { suggestionsAt } from "./sql-completion.ts"

interface SqlEditorProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onRun: () => void
  readonly tables: readonly KnownTable[]
  readonly issues: readonly PriceIssue[]
  readonly label: string
}

/** An editor; the caller holds its text. */
export function SqlEditor(props: SqlEditorProps) {
  const { value, issues, label } = props
  const spoken = use(LanguageContext)
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    if (place.current === null) return undefined
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({ doc: latest.current.value, extensions: extensions(latest, label) }),
    })
    view.current = made
    return () => made.destroy()
  }, [label])
  useEffect(() => {
    const text = view.current?.state.doc.toString()
    if (text === undefined || text === value) return
    view.current?.dispatch({ changes: { from: 0, to: text.length, insert: value } })
  }, [value])
  useEffect(() => {
    const editor = view.current
    const said = issues.map((issue) => ({ ...issue, ...errorText(issue, spoken) }))
    if (editor !== null) editor.dispatch(setDiagnostics(editor.state, said.map(diagnosticIn(editor))))
  }, [issues, spoken])
  return <div className="editor" ref={place} />
}

/** Completion from the tables that are known when it is called. */
function completionOf(latest: { readonly current: SqlEditorProps }) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const found = suggestionsAt(state.doc.toString(), pos, latest.current.tables, explicit)
    return found === undefined ? null : { from: found.from, options: [...found.options], validFor: /^\w*$/ }
  }
}

function extensions(latest: { readonly current: SqlEditorProps }, label: string) {
  const run: KeyBinding = {
    key: "Mod-Enter",
    run: () => {
      latest.current.onRun()
      return true
    },
  }
  return [
    keymap.of([run, ...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false, override: [completionOf(latest)] }),
    lintGutter(),
    PostgreSQL.extension,
    syntaxHighlighting(colours),
    look,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange(update.state.doc.toString())
    }),
  ]
}

function diagnosticIn({ state }: EditorView): (issue: PriceIssue) => Diagnostic {
  const { length } = state.doc
  return ({ message, help, start = 0, end = length, code }) => ({
    from: Math.min(start, length),
    to: Math.min(Math.max(end, start), length),
    severity: "error",
    message: help === undefined ? message : `${message}\n${help}`,
    source: code,
  })
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
])

const look = EditorView.theme({
  "&": { fontSize: "0.92rem", color: "var(--ink)", background: "var(--surface)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    fontFamily: "var(--font-code)",
    minHeight: "9rem",
    caretColor: "var(--ink)",
    padding: "0.6rem 0",
  },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--surface)", color: "var(--ink-soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": {
    background: "color-mix(in oklab, var(--sunken) 60%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--accent-soft)",
  },
  ".cm-tooltip": {
    background: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--accent)",
    color: "var(--accent-ink)",
  },
  ".cm-completionDetail": { opacity: "0.8", fontStyle: "normal", marginLeft: "1em" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", fontFamily: "var(--font)", padding: "0.4rem 0.6rem" },
})
