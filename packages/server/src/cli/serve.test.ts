import { createServer } from "node:net"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runCommand } from "../main.ts"
import { smallHospital, type AccountsJson, type SmallHospital } from "../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
}, 60_000)
afterAll(() => hospital.remove())

async function codeOf(...args: readonly string[]): Promise<string> {
  const { out } = await hospital.run(...args, "--json")
  const parsed: { readonly error?: { readonly code?: string } } = JSON.parse(out)
  return parsed.error?.code ?? ""
}

test("an account is made with a password that is shown once, listed and disabled", async () => {
  const made = await hospital.run("user", "add", "ada")
  expect(made.out).toMatch(/^ada is an account now \(analyst\)\npassword {2}\S{20}\nit is not shown again\n$/)
  const given = await hospital.type(
    "my own password\n",
    "user",
    "add",
    "eve",
    "--role",
    "auditor",
    "--password-stdin",
  )
  expect(given.out).toBe("eve is an account now (auditor)\n")
  expect((await hospital.run("user", "password", "ada")).out).toContain("ada has a new password\npassword  ")
  await hospital.run("user", "disable", "eve")
  const { out } = await hospital.run("user", "list")
  expect(out).toMatch(
    /^name {2}role {5}since \(UTC\) {7}state\nada {3}analyst .* active\neve {3}auditor .* disabled /,
  )
  const [first]: readonly { readonly name: string }[] = JSON.parse(
    (await hospital.run("user", "list", "--json")).out,
  )
  expect(first?.name).toBe("ada")
})

test("a study goes through two reviewers, and only then its people can ask in it", async () => {
  hospital.rewrite((policy) => policy)
  const people = { olga: "owner", carl: "committee", dana: "committee", mia: "analyst", noor: "analyst" }
  for (const [name, role] of Object.entries(people)) {
    await hospital.type("a good password", "user", "add", name, "--role", role, "--password-stdin")
  }
  const propose = [
    "--title",
    "Heart failure",
    "--purpose",
    "DUO:0000006",
    "--from",
    "2020-01-01",
    "--to",
    "2099-12-31",
  ]
  await hospital.run(
    "study",
    "propose",
    "heart",
    "--as",
    "mia",
    ...propose,
    "--epsilon",
    "0.5",
    "--delta",
    "1e-8",
  )
  const ask = async (user: string, study = ""): Promise<unknown> => {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user,
      password: "a good password",
      database: "hospital",
    })
    await client.connect()
    if (study !== "") await client.query(`SET dosimeter.study = '${study}'`)
    const found = await client.query("SELECT COUNT(*) AS n FROM person").catch((error: unknown) => error)
    await client.end()
    return found
  }
  let port = 0
  const controller = new AbortController()
  let ready: () => void = () => {}
  const listening = new Promise<void>((resolve) => (ready = resolve))
  const serving = runCommand(["serve", "--pg-port", "0"], {
    folder: hospital.folder,
    out: (text) => {
      port = Number(/port (\d+)/.exec(text)?.[1] ?? 0)
      ready()
    },
    error: () => {},
    signal: controller.signal,
  })
  await listening
  expect(await ask("mia")).toMatchObject({ code: "42501", message: expect.stringContaining("study/none") })
  await hospital.run("study", "submit", "heart", "--as", "mia")
  const first = await hospital.run("study", "approve", "heart", "--as", "carl", "--why", "sound")
  expect(first.out).toBe("heart needs one more review\n")
  await hospital.run("study", "approve", "heart", "--as", "dana", "--why", "useful")
  expect(await ask("mia")).toMatchObject({ message: expect.stringContaining("study/none") })
  const active = await hospital.run("study", "activate", "heart", "--as", "olga")
  expect(active.out).toBe("heart is active from 2020-01-01 to 2099-12-31: mia may ask\n")
  expect(await ask("mia")).toMatchObject({ rowCount: 1 })
  expect(await ask("noor", "heart")).toMatchObject({ message: expect.stringContaining("study/not-a-member") })
  await hospital.run("study", "suspend", "heart", "--as", "carl", "--why", "a complaint")
  expect(await ask("mia", "heart")).toMatchObject({ message: expect.stringContaining("study/not-active") })
  expect((await hospital.run("study", "list")).out).toContain(
    "heart  active, suspended  2020-01-01 to 2099-12-31",
  )
  controller.abort()
  expect(await serving).toBe(0)
  const { accounts }: AccountsJson = JSON.parse((await hospital.run("budget", "--json")).out)
  expect(accounts.map(({ name }) => name)).toContain("study:heart")
}, 60_000)

test("a role that there is not is refused", async () => {
  const { code, error } = await hospital.run("user", "add", "bob", "--role", "king")
  expect(code).toBe(2)
  expect(error).toContain("--role")
})

test("the server says where it is, and stops when it is told to", async () => {
  const controller = new AbortController()
  let out = ""
  const code = await runCommand(["serve", "--pg-port", "0"], {
    folder: hospital.folder,
    out: (text) => {
      out += text
      if (text.includes("Ctrl-C")) controller.abort()
    },
    error: () => {},
    signal: controller.signal,
  })
  expect(code).toBe(0)
  expect(out).toMatch(/^hospital is served at 127\.0\.0\.1, port \d+, to this machine only\n/)
  expect(out).toMatch(/\nconnect: {2}psql "host=127\.0\.0\.1 port=\d+ user=\w+ dbname=hospital"\n/)
})

test("other machines connect by TLS only", async () => {
  expect(await codeOf("serve", "--host", "0.0.0.0")).toBe("serve/no-certificate")
})

test("a port that is taken is named", async () => {
  const other = createServer()
  await new Promise<void>((resolve) => {
    other.listen(0, "127.0.0.1", resolve)
  })
  const address = other.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  expect(await codeOf("serve", "--pg-port", `${port}`)).toBe("serve/port-taken")
  other.close()
})
