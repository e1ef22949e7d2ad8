// The commands of governance, as people type them.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { smallHospital, type Ran, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital

beforeAll(async () => {
  hospital = await smallHospital()
  hospital.rewrite((policy) => `${policy}consent: required\n`)
  for (const [name, role] of [
    ["olga", "owner"],
    ["carl", "committee"],
    ["ada", "analyst"],
  ] as const) {
    await hospital.run("user", "add", name, "--role", role)
  }
})

afterAll(() => hospital.remove())

const run = (line: string): Promise<Ran> =>
  hospital.run(...(line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', "")))

function file(name: string, text: string): void {
  writeFileSync(join(hospital.folder, name), text)
}

const head = "participant,purpose,decision,date\n"

test("consents are handed in, looked up and versioned", async () => {
  file("bad.csv", `${head}1000003,DUO:0000006,maybe,2026-01-01\n`)
  const bad = await run("consent import bad.csv --as olga")
  expect(bad.code).toBe(2)
  expect(bad.error).toContain("consent/bad-file")
  expect(bad.error).toContain("line 2: the decision is neither given nor withdrawn")
  file("good.csv", `${head}1000003,DUO:0000006,given,2026-01-01\n1000010,DUO:0000042,given,2026-01-01\n`)
  expect((await run("consent import good.csv --as olga")).out).toContain("2 decisions were read; 2 changed")
  expect((await run("consent import good.csv --as ada")).error).toContain("consent/not-allowed")
  expect((await run("consent set 1000003 DUO:0000006 withdrawn --as olga")).out).toContain(
    "withdrawn from now",
  )
  expect((await run("consent set 1000003 DUO:0000006 perhaps --as olga")).code).toBe(2)
  const history = await run("consent history 1000003")
  expect(history.out.match(/withdrawn|given/g)).toEqual(["withdrawn", "given"])
  expect(JSON.parse((await run("consent list 1000003 --json")).out)).toMatchObject([
    { decision: "withdrawn" },
  ])
  expect((await run("consent version DUO:0000006")).out).toMatch(/^version 2-[0-9a-f]{12}\n$/)
  expect((await run("consent list 5")).out).toContain("nothing was decided")
})

test("a question says what it is for", async () => {
  const { out } = await run('explain "SELECT COUNT(*) FROM person" --purpose DUO:0000006')
  expect(out).toContain("each person that agreed, for DUO:0000006")
})

test("a participant's account is about one person", async () => {
  expect((await run("user add pat --role participant")).error).toContain("--participant")
  expect((await run("user add pat --role analyst --participant 7")).error).toContain("--participant")
  expect((await run("user add pat --role participant --participant x")).error).toContain(
    "consent/bad-participant",
  )
  expect((await run("user add pat --role participant --participant 1000003")).code).toBe(0)
  // A mistake is mended.
  expect((await run("user link pat 1000017")).out).toBe("pat is linked\n")
  expect((await run("user link ada 1000003")).error).toContain("consent/no-participant")
  const second = await run("user add pia --role participant --participant 1000017")
  expect(second.error).toContain("consent/linked-already")
  expect((await run("user list")).out).not.toContain("pia")
  expect((await run("consent set 1000017 DUO:0000006 given --as pat")).code).toBe(0)
  expect((await run("consent set 1000010 DUO:0000006 given --as pat")).error).toContain("consent/not-allowed")
})

test("a study with an airlock, more budget by two people, and all of it in the audit trail", async () => {
  const days = "--from 2026-01-01 --to 2099-01-01 --epsilon 0.5 --delta 1e-8"
  const proposal = `study propose heart --as ada --title Heart --purpose DUO:0000006 ${days}`
  expect((await run(`${proposal} --datasets hospital`)).code).toBe(0)
  expect((await run('study edit heart --as ada --title "Heart failure" --airlock')).code).toBe(0)
  await run("user add dana --role committee")
  await run("study submit heart --as ada")
  await run("study approve heart --as carl --why sound")
  await run("study approve heart --as dana --why useful")
  expect((await run("study activate heart --as olga")).out).toContain("heart is active")
  expect((await run("study list")).out).toMatch(/heart +active, airlock/)
  await run("user add coco --role community")
  await run('study voice heart --as coco --view concern --why "tell the patients first"')
  const old = "--from 2020-01-01 --to 2020-12-31 --epsilon 0.1 --delta 1e-9"
  await run(`study propose lungs --as ada --title Lungs --purpose DUO:0000006 ${old}`)
  const { out: listed } = await run("study list")
  expect(listed).toMatch(/heart +active, airlock .* 1 concern /)
  expect(listed).toMatch(/lungs +draft, past its days .* none /)
  expect((await run("airlock list --as carl")).out).toBe("nothing waits\n")
  expect((await run("airlock show 99 --as carl")).error).toContain("airlock/unknown")
  const raise = "budget raise study:heart --epsilon 1 --delta 1e-8 --as ada"
  expect((await run(`${raise} --why "a second year"`)).out).toContain("request 1 waits for two people")
  expect((await run("budget agree 1 --as olga --why yes")).out).toBe("request 1 waits for one more person\n")
  expect((await run("budget agree 1 --as olga --why yes")).error).toContain("raise/agreed-already")
  expect((await run("budget agree 1 --as carl --why yes")).out).toBe("request 1 is granted\n")
  expect((await run("budget requests --as carl")).out).toMatch(/study heart +1 .*granted .*olga, carl/)
  expect((await run("budget agree x --as carl --why yes")).error).toContain("raise/unknown")
  const { out } = await run('audit --about "study heart"')
  expect(out).toContain("study-proposed")
  const csv = await run("audit --what budget-decided --csv")
  expect(csv.out.split("\r\n")).toHaveLength(4)
  const lines = (await run("audit --who olga --json")).out.trim().split("\n")
  expect(lines.length).toBeGreaterThan(1)
  const sound = await run("audit verify")
  const written = /head +(\S+)/.exec(sound.out)?.[1] ?? ""
  expect((await run(`audit verify --head ${written}`)).code).toBe(0)
  expect((await run("audit verify --head 1:00")).error).toContain("audit/unsound")
  expect((await run("audit --who nobody")).out).toBe("nothing of the kind was done\n")
})
