// Controls with the keyboard alone: dialogs, tabs, segments, lists, switches and buttons.

import { act, useState } from "react"
import { expect, test } from "vitest"
import { ada } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { Button } from "./button.tsx"
import { Choice, Segments, Switch } from "./choice.tsx"
import { Dialog } from "./dialog.tsx"
import { Field } from "./field.tsx"
import { Tabs } from "./tabs.tsx"

const colours = [
  { id: "red", text: "Red" },
  { id: "green", text: "Green" },
  { id: "blue", text: "Blue" },
] as const
type Colour = (typeof colours)[number]["id"]

async function focus(element: HTMLElement): Promise<void> {
  await act(async () => element.focus())
}

function Asking() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Open</Button>
      <Dialog title="Sure?" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Field label="Reasons" value="" onChange={() => {}} autoFocus />
        <Button onPress={() => setOpen(false)}>No</Button>
      </Dialog>
    </>
  )
}

test("a dialog takes the focus, hides the page behind it, and gives the focus back when Escape closes it", async () => {
  const screen = await openScreen(<Asking />, { me: ada })
  await focus(screen.one("button", "Open"))
  await screen.key("Enter")
  expect(screen.one("dialog", "Sure?").contains(document.activeElement)).toBe(true)
  expect(screen.has("button", "Open")).toBe(false)
  await screen.key("Escape")
  expect(screen.has("dialog")).toBe(false)
  await screen.until(() => document.activeElement === screen.one("button", "Open"))
})

test("arrows move between tabs, and only the chosen one is drawn", async () => {
  const tabs = [
    { id: "table", title: "Table", content: "the table" },
    { id: "chart", title: "Chart", content: "the chart" },
  ]
  const screen = await openScreen(<Tabs label="Answer" tabs={tabs} />, { me: ada })
  expect(screen.text()).toContain("the table")
  await focus(screen.one("tab", "Table"))
  await screen.key("ArrowRight")
  expect(document.activeElement).toBe(screen.one("tab", "Chart"))
  expect(screen.text()).toContain("the chart")
  expect(screen.text()).not.toContain("the table")
  await screen.key("ArrowRight")
  expect(document.activeElement).toBe(screen.one("tab", "Table"))
})

function Colours({ as }: { readonly as: "segments" | "list" }) {
  const [colour, setColour] = useState<Colour>("red")
  const Control = as === "list" ? Choice : Segments
  return (
    <>
      <Control label="Colour" options={colours} value={colour} onChange={setColour} />
      <p>chosen: {colour}</p>
    </>
  )
}

test("segments are one of several: an arrow and the space bar choose the next, and none cannot be chosen", async () => {
  const screen = await openScreen(<Colours as="segments" />, { me: ada })
  await focus(screen.one("radio", "Red"))
  await screen.key("ArrowRight")
  await screen.key(" ")
  expect(screen.text()).toContain("chosen: green")
  expect(screen.one("radio", "Green").getAttribute("aria-checked")).toBe("true")
  await screen.key(" ")
  expect(screen.text()).toContain("chosen: green")
})

test("a list opens with the arrow, and Escape leaves it as it was", async () => {
  const screen = await openScreen(<Colours as="list" />, { me: ada })
  await focus(screen.one("button", /Colour/))
  await screen.key("ArrowDown")
  expect(screen.all("option").map(({ textContent }) => textContent)).toEqual(["Red", "Green", "Blue"])
  expect(screen.one("option", "Red").getAttribute("aria-selected")).toBe("true")
  await screen.key("Escape")
  expect(screen.has("option")).toBe(false)
  expect(screen.text()).toContain("chosen: red")
  await screen.press(/Colour/)
  await screen.press("Green", "option")
  expect(screen.text()).toContain("chosen: green")
  expect(screen.has("option")).toBe(false)
})

function OnOff({ isDisabled }: { readonly isDisabled: boolean }) {
  const [isOn, setOn] = useState(false)
  return (
    <Switch isOn={isOn} onChange={setOn} isDisabled={isDisabled}>
      Wanted
    </Switch>
  )
}

test("a switch changes when it is pressed, and not while it is disabled", async () => {
  const screen = await openScreen(<OnOff isDisabled={false} />, { me: ada })
  await screen.press("Wanted", "switch")
  expect(screen.one("switch", "Wanted")).toHaveProperty("checked", true)
  const disabled = await openScreen(<OnOff isDisabled />, { me: ada })
  await disabled.press("Wanted", "switch")
  expect(disabled.one("switch", "Wanted")).toHaveProperty("checked", false)
})

test("a field with an error is announced as wrong, with the error and its help", async () => {
  const field = (
    <Field label="Epsilon" value="much" onChange={() => {}} help="A number." error="Not a number." />
  )
  const screen = await openScreen(field, { me: ada })
  const input = screen.one("field", "Epsilon")
  expect(input.getAttribute("aria-invalid")).toBe("true")
  const described = (input.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent)
  expect(described).toEqual(expect.arrayContaining(["A number.", "Not a number."]))
})
