import type { TrinoSource } from "@dosimeter/policy/file/policy"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { trinoAddress } from "./trino-address.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-trino-keys-"))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, "secret"), "first\n")

const source: TrinoSource = {
  kind: "trino",
  url: "https://reader@Trino.Example:8443",
  catalog: "lake",
  schema: "clinic",
  version: { by: "snapshots" },
}

test("places are one, however the address is written, and hold no user", () => {
  const { place } = trinoAddress(source, folder)
  expect(place).toBe("trino://trino.example:8443/lake/clinic")
  expect(trinoAddress({ ...source, url: "https://trino.example:8443/" }, folder).place).toBe(place)
})

test("a password is sent as RFC 7617 says, and a token is read anew", () => {
  const basic = trinoAddress({ ...source, passwordFile: "secret" }, folder)
  expect(basic.authorization()).toBe(`Basic ${Buffer.from("reader:first").toString("base64")}`)
  const bearer = trinoAddress({ ...source, tokenFile: "secret" }, folder)
  expect(bearer.authorization()).toBe("Bearer first")
  writeFileSync(join(folder, "secret"), "second\n")
  expect(bearer.authorization()).toBe("Bearer second")
})

test("nothing secret leaves without TLS, and no question another machine", () => {
  const here = { ...source, url: "http://127.0.0.1:8080" }
  expect(() => trinoAddress({ ...here, tokenFile: "secret" }, folder)).toThrow("needs https://")
  expect(() => trinoAddress({ ...source, url: "http://trino.example" }, folder)).toThrow(
    "begins with https://",
  )
  expect(trinoAddress(here, folder).authorization()).toBeUndefined()
})
