import pg from "pg"
import { afterEach, expect, test, vi } from "vitest"
import { readAddress } from "./postgres-address.ts"
import { troubleWords } from "./postgres-trouble.ts"

afterEach(() => vi.unstubAllEnvs())

/** How the driver would connect. */
function connects(text: string): { readonly host: string; readonly port: number; readonly ssl: unknown } {
  const address = readAddress(text)
  if (address === undefined) throw new Error(`${text} is no address`)
  const { host, port, ssl } = new pg.Client({ connectionString: address.url })
  return { host, port, ssl }
}

test("to another machine a connection is encrypted and checked, unless a known word says otherwise", () => {
  const far = "postgres://reader@db.example.org/ward"
  for (const text of [far, `${far}?sslmode=`, `${far}?ssl=false`, `${far}?sslmode=verify-full`]) {
    expect(connects(text).ssl, text).toEqual({})
  }
  expect(connects(`${far}?sslmode=disable`).ssl).toBe(false)
  expect(connects(`${far}?sslmode=no-verify`).ssl).toEqual({ rejectUnauthorized: false })
  // Words that the driver does not know would be taken for no encryption at all.
  for (const word of ["", "allow", "verify_full", "Require"]) {
    vi.stubEnv("PGSSLMODE", word)
    expect(connects(far).ssl, word).toEqual({})
  }
  vi.stubEnv("PGSSLMODE", "disable")
  expect(connects(far).ssl).toBe(false)
  for (const here of ["postgres://reader@localhost/ward", "postgres://reader@/ward?host=/run"]) {
    expect(connects(here).ssl).toBe(false)
  }
})

test("the place of an address is where the driver connects", () => {
  for (const text of [
    "postgres://reader@db.example.org:5433/ward",
    "postgres://reader@db.example.org:5433/ward?port=5434",
    "postgres://reader@localhost/ward?host=db.example.org",
    "postgres://reader@/ward?host=/run",
  ]) {
    const { host, port } = connects(text)
    expect(readAddress(text)?.server, text).toBe(`${host} ${port} ward`)
  }
  // Of two, the driver takes the last: the other one could be of this machine.
  expect(readAddress("postgres://reader@localhost/ward?host=/run&host=db.example.org")).toBeUndefined()
})

test("a file of certificates that cannot be read is no server that does not listen", () => {
  const url = readAddress("postgres://reader@db.example.org/ward?sslmode=verify-full&sslrootcert=nowhere.pem")
  let words = ""
  try {
    void new pg.Client({ connectionString: url?.url ?? "" })
  } catch (error) {
    words = troubleWords(error)
  }
  expect(words).toBe("a file of its certificates cannot be read")
})
