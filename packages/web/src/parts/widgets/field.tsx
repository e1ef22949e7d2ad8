// A text field with its label, its help and its error.

import { FieldError, Input, Label, Text, TextArea, TextField } from "react-aria-components"

/** The properties of a field. */
export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly help?: string
  readonly error?: string | undefined
  readonly type?: "text" | "password" | "date" | "search"
  readonly lines?: "one" | "many"
  readonly isRequired?: boolean
  readonly isCode?: boolean
  readonly autoComplete?: string
  readonly inputMode?: "decimal" | "numeric"
  readonly name?: string
  readonly autoFocus?: boolean
}

/** A field in a form. */
export function Field(props: FieldProps) {
  const { label, value, onChange, help, error, type = "text", lines = "one" } = props
  const className = props.isCode === true ? "input input-code" : "input"
  return (
    <TextField
      className="field"
      value={value}
      onChange={onChange}
      type={type}
      isRequired={props.isRequired ?? false}
      autoFocus={props.autoFocus ?? false}
      {...(error === undefined ? {} : { isInvalid: true })}
      {...(props.name === undefined ? {} : { name: props.name })}
      {...(props.autoComplete === undefined ? {} : { autoComplete: props.autoComplete })}
      {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
    >
      <Label>{label}</Label>
      {lines === "many" ? <TextArea className={className} rows={4} /> : <Input className={className} />}
      {help === undefined ? null : <Text slot="description">{help}</Text>}
      {error === undefined ? (
        <FieldError className="field-error" />
      ) : (
        <FieldError className="field-error">{error}</FieldError>
      )}
    </TextField>
  )
}
