// Buttons, and links that look like them.

import type { ReactNode } from "react"
import { Button as AriaButton } from "react-aria-components"

/** The properties of a button. */
export interface ButtonProps {
  readonly children: ReactNode
  readonly onPress?: () => void
  readonly variant?: "primary" | "plain" | "quiet" | "danger"
  readonly size?: "small" | "normal"
  readonly type?: "button" | "submit"
  readonly isDisabled?: boolean
  readonly label?: string
  readonly slot?: string
  readonly className?: string
}

/** A button. */
export function Button(props: ButtonProps) {
  const { children, onPress, variant = "plain", size = "normal", type = "button" } = props
  return (
    <AriaButton
      className={`button ${props.className ?? ""}`}
      data-variant={variant}
      data-size={size}
      type={type}
      isDisabled={props.isDisabled ?? false}
      {...(onPress === undefined ? {} : { onPress })}
      {...(props.label === undefined ? {} : { "aria-label": props.label })}
      {...(props.slot === undefined ? {} : { slot: props.slot })}
    >
      {children}
    </AriaButton>
  )
}
