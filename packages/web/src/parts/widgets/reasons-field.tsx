// The reasons for a decision, which everybody can read later.

import { useStrings } from "../../strings/use-strings.ts"
import { Field } from "./field.tsx"

interface ReasonsFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field of many lines that has to be filled in. */
export function ReasonsField({ value, onChange }: ReasonsFieldProps) {
  const { studies } = useStrings()
  return (
    <Field
      label={studies.reasons}
      help={studies.reasonsHelp}
      lines="many"
      value={value}
      onChange={onChange}
      isRequired
    />
  )
}
