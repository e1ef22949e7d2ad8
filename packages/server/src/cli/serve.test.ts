import { createServer } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runCommand } from "../main.ts"
import { smallHospital, type SmallHospital } from "../testing/small-hospital.ts"

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
