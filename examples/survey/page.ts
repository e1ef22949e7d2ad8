// The device's side of a campaign as a web page sees it: draws the questions into every element with
// data-dosimeter-survey, randomizes the answer in the browser, sends the noisy report, and shows the person
// what was sent and what it hides. The server bundles this file as /survey.js (tools/build/build-survey.ts).

import {
  checkPromise,
  levelOf,
  openDevice,
  readProtocol,
  renderError,
  systemBits,
  uniformDraws,
  DosimeterError,
  type Protocol,
  type Report,
  type SingleProtocol,
} from "@dosimeter/core/local"

// The few things of a browser that are used here, declared by hand.
interface Element {
  textContent: string
  value: string
  checked: boolean
  readonly dataset: Readonly<Record<string, string | undefined>>
  append(...nodes: readonly (Element | string)[]): void
  replaceChildren(...nodes: readonly (Element | string)[]): void
  setAttribute(name: string, value: string): void
  addEventListener(name: string, listener: (event: { preventDefault(): void }) => void): void
}
declare const document: {
  createElement(name: string): Element
  querySelectorAll(selector: string): Iterable<Element>
}
declare const localStorage: {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

interface Question {
  readonly kind: "choice" | "number"
  readonly name: string
  readonly text: string
  readonly options?: readonly string[]
  readonly low?: number
  readonly high?: number
}

interface Survey {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly epsilon: string
  readonly state: string
  readonly questions: readonly Question[]
  readonly protocol: unknown
}

const server = new URL(import.meta.url).origin
const memoryKey = "dosimeter"

for (const place of document.querySelectorAll("[data-dosimeter-survey]")) void show(place)

async function show(place: Element): Promise<void> {
  const id = place.dataset["dosimeterSurvey"] ?? ""
  try {
    const response = await fetch(`${server}/api/v1/surveys/${encodeURIComponent(id)}`)
    if (!response.ok) throw new Error("This survey is not there.")
    const survey: Survey = JSON.parse(await response.text())
    const protocol = readProtocol(survey.protocol)
    // The page holds the server to what it says: a protocol that loses more is not followed.
    checkPromise(protocol, survey.epsilon)
    place.replaceChildren(
      survey.state === "open" ? form(place, survey, protocol) : text("p", "This survey is closed."),
    )
  } catch (error) {
    place.replaceChildren(text("p", wordsOf(error)))
  }
}

function form(place: Element, survey: Survey, protocol: Protocol): Element {
  const made = text("form", "")
  const inputs = survey.questions.map(inputOf)
  const button = text("button", "Send with noise")
  const odds = Math.exp(Number(survey.epsilon))
  const promise = text(
    "p",
    `Your browser adds the noise before anything is sent. No report is more than ${odds.toFixed(2)} times as ` +
      `likely under one answer as under another (epsilon ${survey.epsilon}). One of the questions is drawn by ` +
      "chance and answered; the others stay here.",
  )
  made.append(text("h2", survey.title), text("p", survey.summary))
  for (const { field } of inputs) made.append(field)
  made.append(promise, button)
  made.addEventListener("submit", (event) => {
    event.preventDefault()
    const answers = inputs.map(({ read }) => read())
    if (answers.includes(undefined)) return
    void send(place, { survey, protocol, answers: answers.flatMap((answer) => answer ?? []) })
  })
  return made
}

interface Filled {
  readonly survey: Survey
  readonly protocol: Protocol
  readonly answers: readonly number[]
}

async function send(place: Element, { survey, protocol, answers }: Filled): Promise<void> {
  try {
    const rng = systemBits()
    const parts = protocol.kind === "one-of" ? protocol.parts : [protocol]
    const levels = parts.map((part, index) => encoded(part, answers[index] ?? 0, survey.questions[index]))
    const device = openDevice({
      limit: place.dataset["limit"] ?? survey.epsilon,
      store: {
        load: () => localStorage.getItem(memoryKey) ?? undefined,
        save: (state) => localStorage.setItem(memoryKey, state),
      },
    })
    const answer = protocol.kind === "one-of" ? { answers: levels } : (levels[0] ?? 0)
    const report = device.report({ study: survey.id, question: "survey", protocol, answer }, rng)
    const response = await fetch(`${server}/api/v1/surveys/${survey.id}/reports`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ reports: [report] }),
    })
    if (!response.ok) throw new Error("The collector did not take the report; try again later.")
    place.replaceChildren(...receipt({ survey, protocol, answers }, report, device.lost()))
  } catch (error) {
    place.replaceChildren(text("p", wordsOf(error)))
  }
}

/** A number goes to a level of the protocol's grid, on average the right one. */
function encoded(part: SingleProtocol, answer: number, question: Question | undefined): number {
  if (part.kind !== "mean") return answer
  const { low = 0, high = 1 } = question ?? {}
  return levelOf(part, { value: answer, low, high }, uniformDraws(systemBits()))
}

/** What was sent, and what it hides. */
function receipt(
  { survey, protocol, answers }: Filled,
  report: Report,
  lost: { readonly spent: string; readonly limit: string },
): Element[] {
  const bytes = Uint8Array.from(atob(report.payload.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
    c.charCodeAt(0),
  )
  const isOneOf = protocol.kind === "one-of"
  const index = isOneOf ? (bytes[0] ?? 0) : 0
  const part = isOneOf ? protocol.parts[index] : protocol
  const question = survey.questions[index]
  const stands = part === undefined ? "" : standsFor(part, bytes.subarray(isOneOf ? 1 : 0), question)
  const options = question?.options?.length ?? 0
  const odds = Math.exp(Number(survey.epsilon))
  const guess = options > 0 ? `${Math.round((100 * odds) / (odds + options - 1))}%` : ""
  const answer = answers[index] ?? 0
  const own = question?.options?.[answer] ?? `${answer}`
  return [
    text("h2", "Thank you. This is all that was sent:"),
    text("pre", JSON.stringify(report, null, 2)),
    text("p", `It answers “${question?.text ?? ""}”. Your answer was “${own}”; the report ${stands}.`),
    text(
      "p",
      options > 0
        ? `Somebody who held all ${options} answers equally likely can be at most ${guess} sure of yours ` +
            `(${Math.round(100 / options)}% before), and cannot know whether the report is true.`
        : "The report is far from the number for most people; only the mean of many says something.",
    ),
    text(
      "p",
      `This browser has given away epsilon ${short(lost.spent)} of ${lost.limit}, for good. Asked again, it ` +
        "sends the same report.",
    ),
  ]
}

function standsFor(part: SingleProtocol, bytes: Uint8Array, question: Question | undefined): string {
  const names = question?.options ?? []
  if (part.kind === "subset") {
    const chosen = names.filter((_, i) => (((bytes[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) === 1)
    return `says “${chosen.join(" or ")}”`
  }
  if (part.kind === "kary") return `says “${names[bytes[0] ?? 0] ?? ""}”`
  return "is a number drawn around it, or a sign"
}

interface Input {
  readonly field: Element
  readonly read: () => number | undefined
}

function inputOf(question: Question): Input {
  const field = text("fieldset", "")
  field.append(text("legend", question.text))
  if (question.kind === "number") {
    const input = text("input", "")
    input.setAttribute("type", "number")
    input.setAttribute("step", "any")
    input.setAttribute("required", "")
    input.setAttribute("aria-label", question.text)
    input.setAttribute("min", `${question.low ?? 0}`)
    input.setAttribute("max", `${question.high ?? 0}`)
    field.append(input)
    return { field, read: () => (input.value === "" ? undefined : Number(input.value)) }
  }
  const radios = (question.options ?? []).map((option) => {
    const [label, radio] = [text("label", ""), text("input", "")]
    radio.setAttribute("type", "radio")
    radio.setAttribute("name", question.name)
    radio.setAttribute("required", "")
    label.append(radio, ` ${option} `)
    field.append(label)
    return radio
  })
  return {
    field,
    read: () => {
      const chosen = radios.findIndex(({ checked }) => checked)
      return chosen < 0 ? undefined : chosen
    },
  }
}

function text(name: string, content: string): Element {
  const made = document.createElement(name)
  made.textContent = content
  return made
}

function wordsOf(error: unknown): string {
  if (error instanceof DosimeterError) return renderError(error)
  return error instanceof Error ? error.message : "Something went wrong; nothing was sent."
}

function short(amount: string): string {
  return `${Number(Number(amount).toPrecision(4))}`
}
