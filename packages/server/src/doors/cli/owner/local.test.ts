import { expect, test } from "vitest"
import { runCommand } from "../../../main.ts"

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = ""
  const write = (more: string): void => {
    text += more
  }
  const code = await runCommand(args, { folder: ".", out: write, error: write })
  return { code, text }
}

test("a simulation shows truth beside estimates, and the predicted error beside the measured one", async () => {
  const { code, text } = await run("local", "simulate", "--values", "3", "--people", "2000", "--runs", "3")
  expect(code).toBe(0)
  expect(text).toMatch(
    /^(kary|subset), epsilon 1\nwith 2,000 people: 95% of estimates within [\d.]+ percentage points\n/,
  )
  expect(text).toMatch(/ 3 {2}truth +\[#+\.+\] {2}18\.18 %\n +estimate /)
  expect(text).toMatch(/people {2}predicted error {2}measured {2}intervals that hold\n +20 /)
  expect(text).toMatch(/20 fake devices could make a share 2\.16 % higher, or 0\.58 % lower\n$/)
})

test("a simulation as JSON, and one that cannot answer", async () => {
  const made = await run("local", "simulate", "--values", "2", "--people", "1000", "--runs", "2", "--json")
  const { steps }: { readonly steps: readonly { readonly predicted: number; readonly measured: number }[] } =
    JSON.parse(made.text)
  expect(steps).toHaveLength(3)
  for (const { predicted, measured } of steps) expect(measured).toBeLessThan(6 * predicted)
  const refused = await run("local", "simulate", "--values", "128", "--people", "500", "--within", "0.05")
  expect(refused.code).toBe(4)
  expect(refused.text).toContain("error[local/cannot-answer]")
})
