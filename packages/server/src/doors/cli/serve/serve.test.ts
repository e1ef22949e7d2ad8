import { createServer } from "node:net"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"
import { smallHospital, type AccountsJson, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
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

const people = { olga: "owner", carl: "committee", dana: "committee", mia: "analyst", noor: "analyst" }
const proposed =
  "--title Heart --purpose DUO:0000006 --from 2020-01-01 --to 2099-12-31 --epsilon 0.5 --delta 2e-8".split(
    " ",
  )

/** Serves until it is told to stop. */
async function serve(): Promise<{ readonly port: number; readonly stop: () => Promise<number> }> {
  const controller = new AbortController()
  let ready: (port: number) => void = () => {}
  const listening = new Promise<number>((resolve) => {
    ready = resolve
  })
  const serving = runCommand(["serve", "--pg-port", "0", "--http-port", "0"], {
    folder: hospital.folder,
    out: (text) => ready(Number(/port (\d+)/.exec(text)?.[1] ?? 0)),
    error: () => {},
    signal: controller.signal,
  })
  const stop = async (): Promise<number> => {
    controller.abort()
    return serving
  }
  return { port: await listening, stop }
}

async function askAs(user: string, port: number, study = "", password = "a good password"): Promise<unknown> {
  const client = new pg.Client({ host: "127.0.0.1", port, user, password, database: "hospital" })
  await client.connect()
  if (study !== "") await client.query(`SET dosimeter.study = '${study}'`)
  const found = await client.query("SELECT COUNT(*) AS n FROM person").catch((error: unknown) => error)
  await client.end()
  return found
}

const refusedWith = (code: string) => ({ message: expect.stringContaining(`[${code}]`) })
const run = async (line: string, ...more: readonly string[]): Promise<string> =>
  (await hospital.run(...line.split(" "), ...more)).out

test("a study goes through two reviewers, and only then its people can ask in it", async () => {
  for (const [name, role] of Object.entries(people)) {
    await hospital.type("a good password", "user", "add", name, "--role", role, "--password-stdin")
  }
  await run("study propose heart --as mia", ...proposed)
  const { port, stop } = await serve()
  expect(await askAs("mia", port)).toMatchObject({ code: "42501", ...refusedWith("study/none") })
  await run("study submit heart --as mia")
  expect(await run("study approve heart --as carl --why sound")).toBe("heart needs one more review\n")
  await run("study approve heart --as dana --why useful")
  expect(await askAs("mia", port)).toMatchObject(refusedWith("study/none"))
  expect(await run("study activate heart --as olga")).toBe(
    "heart is active from 2020-01-01 to 2099-12-31: mia may ask\n",
  )
  expect(await askAs("mia", port)).toMatchObject({ rowCount: 1 })
  expect(await askAs("noor", port, "heart")).toMatchObject(refusedWith("study/not-a-member"))
  const token = /token {2}(\S+)/.exec(await run("token add mia --name laptop --rights ask"))?.[1] ?? ""
  expect(await askAs("mia+laptop", port, "", token)).toMatchObject({ rowCount: 1 })
  const listed = await run("token list")
  expect(listed).toMatch(/^id +account {2}name +expires.*\n[0-9a-f]{12} {2}mia +laptop .* never +ask\n$/)
  expect(await run(`token revoke ${listed.split("\n")[1]?.slice(0, 12)}`)).toMatch(/ is revoked\n$/)
  await expect(askAs("mia+laptop", port, "", token)).rejects.toMatchObject({ code: "28P01" })
  await run("study suspend heart --as carl --why complaint")
  expect(await askAs("mia", port, "heart")).toMatchObject(refusedWith("study/not-active"))
  expect(await run("study list")).toContain("heart  active, suspended  2020-01-01 to 2099-12-31")
  await run("study resume heart --as carl --why settled")
  await run("study propose lungs --as mia", ...proposed)
  await run("study submit lungs --as mia")
  await run("study approve lungs --as carl --why sound")
  await run("study approve lungs --as dana --why useful")
  await run("study activate lungs --as olga")
  expect(await askAs("mia", port)).toMatchObject(refusedWith("study/several"))
  expect(await stop()).toBe(0)
  const { accounts }: AccountsJson = JSON.parse(await run("budget --json"))
  expect(accounts.map(({ name }) => name)).toEqual(expect.arrayContaining(["study:heart", "study:lungs"]))
})

test("a role that there is not is refused", async () => {
  const { code, error } = await hospital.run("user", "add", "bob", "--role", "king")
  expect(code).toBe(2)
  expect(error).toContain("--role")
})

test("the server says where it is, and stops when it is told to", async () => {
  const controller = new AbortController()
  let out = ""
  const code = await runCommand(["serve", "--pg-port", "0", "--http-port", "0"], {
    folder: hospital.folder,
    out: (text) => {
      out += text
      if (text.includes("Ctrl-C")) controller.abort()
    },
    error: () => {},
    signal: controller.signal,
  })
  expect(code).toBe(0)
  expect(out).toMatch(
    /^hospital is served at http:\/\/127\.0\.0\.1:\d+ and to psql at port \d+, to this machine only\n/,
  )
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
  expect(await codeOf("serve", "--pg-port", "0", "--http-port", `${port}`)).toBe("serve/port-taken")
  other.close()
})
