// One of several: a list that opens, segments that are all in sight, a switch, a box to tick.

import type { ReactNode } from "react"
import {
  Button,
  Checkbox,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
  Switch as AriaSwitch,
  ToggleButton,
  ToggleButtonGroup,
  type Key,
} from "react-aria-components"

/** Something that can be chosen. */
export interface Option<Name extends string> {
  readonly id: Name
  readonly text: string
}

interface ChoiceProps<Name extends string> {
  readonly label: string
  readonly options: readonly Option<Name>[]
  readonly value: Name | undefined
  readonly onChange: (value: Name) => void
}

interface ListProps<Name extends string> extends ChoiceProps<Name> {
  readonly help?: string
  readonly isDisabled?: boolean
}

function find<Name extends string>(options: readonly Option<Name>[], key: Key | null): Name | undefined {
  return options.find(({ id }) => id === key)?.id
}

/** A list that opens. */
export function Choice<Name extends string>(props: ListProps<Name>) {
  const { label, options, value, onChange, help, isDisabled = false } = props
  const choose = (key: Key | null): void => {
    const found = find(options, key)
    if (found !== undefined) onChange(found)
  }
  return (
    <Select className="field" value={value ?? null} onChange={choose} isDisabled={isDisabled}>
      <Label className="label">{label}</Label>
      <Button className="button select-button">
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      {help === undefined ? null : <Text slot="description">{help}</Text>}
      <Popover className="popover">
        <ListBox items={options}>
          {({ id, text }) => (
            <ListBoxItem id={id} className="option" textValue={text}>
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  )
}

/** A few choices side by side. */
export function Segments<Name extends string>({ label, options, value, onChange }: ChoiceProps<Name>) {
  return (
    <ToggleButtonGroup
      className="segments"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={value === undefined ? [] : [value]}
      onSelectionChange={(keys) => {
        const [key] = keys
        const found = find(options, key ?? null)
        if (found !== undefined) onChange(found)
      }}
    >
      {options.map(({ id, text }) => (
        <ToggleButton key={id} id={id} className="segment">
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

interface OnOffProps {
  readonly children: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isDisabled?: boolean
}

/** A switch that takes effect at once. */
export function Switch({ children, isOn, onChange, isDisabled = false }: OnOffProps) {
  return (
    <AriaSwitch className="switch" isSelected={isOn} onChange={onChange} isDisabled={isDisabled}>
      <span className="switch-track" aria-hidden="true" />
      <span>{children}</span>
    </AriaSwitch>
  )
}

/** A box to tick, sent with its form. */
export function Check({ children, isOn, onChange, isDisabled = false }: OnOffProps) {
  return (
    <Checkbox className="check" isSelected={isOn} onChange={onChange} isDisabled={isDisabled}>
      <span className="check-box" aria-hidden="true">
        {isOn ? "✓" : ""}
      </span>
      <span>{children}</span>
    </Checkbox>
  )
}
