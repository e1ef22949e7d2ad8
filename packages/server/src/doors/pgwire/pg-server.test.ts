import { connect } from "node:net"
import pg from "pg"
import postgres from "postgres"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { certificate, hasPsql, openPgHouse, password, type PgHouse } from "../../testing/pg-house.ts"

let house: PgHouse

beforeAll(async () => {
  house = await openPgHouse()
})

afterAll(async () => {
  await house.close()
})

const byGender = "SELECT gender_concept_id, COUNT(*) AS n FROM person GROUP BY 1 ORDER BY 1"

describe.skipIf(!hasPsql)("psql", () => {
  const psql = (options: string, ...commands: readonly string[]) => house.psql(options, ...commands)

  test("answers, settings, and errors with a caret and a hint", async () => {
    const { out, error } = await psql(
      "user=ada",
      byGender,
      "SET dosimeter.intervals = on",
      "SELECT COUNT(*) AS n FROM person",
      "SHOW dosimeter.budget",
      "SELECT SUM(value_as_number) FROM measurement",
    )
    expect(out).toMatch(
      /^ gender_concept_id \| +n +\n-+\+-+\n +8507 \| +-?\d+\n +8532 \| +-?\d+\n\(2 rows\)\n\nSET\n/,
    )
    expect(out).toMatch(/ +n +\| +n_low +\| +n_high *\n/)
    expect(out).toContain(" a bar\n")
    expect(error).toContain("ERROR:  SUM(value_as_number) has no bounds")
    expect(error).toContain(
      "[privacy/unbounded-sum]\nLINE 1: SELECT SUM(value_as_number) FROM measurement\n               ^\nHINT:  write SUM(",
    )
  })

  test("lists and describes tables", async () => {
    const listed = await psql(
      "user=ada",
      "\\dt",
      "\\d death",
      "\\l",
      "\\dn",
      "\\du",
      "\\d+ person",
      "\\df",
      "\\z",
    )
    expect(listed.error).toBe("")
    expect(listed.out).toContain(" public | visit_occurrence     | table | ada\n")
    expect(listed.out).toContain(" death_date            | date   |           |          | \n")
    expect(listed.out).not.toContain("person_source_value")
    expect(listed.code).toBe(0)
  })

  test("encrypts, and binds the password to the certificate", async () => {
    const root = `sslmode=verify-ca sslrootcert=${certificate} channel_binding=require`
    const { out, error } = await psql(`user=ada ${root}`, "SHOW dosimeter.intervals", "\\conninfo")
    expect(error).toBe("")
    expect(out).toContain("SSL connection (protocol: TLSv1.3")
  })

  test("has no way in without the password, and none for what is not there", async () => {
    const wrong = await psql("user=ada password=nonsense", "SELECT 1")
    expect(wrong.error).toContain('FATAL:  password authentication failed for user "ada"')
    const nobody = await psql("user=nobody", "SELECT 1")
    expect(nobody.error).toContain('FATAL:  password authentication failed for user "nobody"')
    const other = await psql("user=ada dbname=other", "SELECT 1")
    expect(other.error).toContain('database "other" does not exist')
  })

  test("copies answers to files, prepares in SQL, and reads by cursors", async () => {
    const { out, error } = await psql(
      "user=ada",
      `\\copy (${byGender}) to stdout csv header`,
      "PREPARE born (int) AS SELECT COUNT(*) AS n FROM person WHERE year_of_birth < $1",
      "EXECUTE born(1950)",
      "COPY (SELECT nope FROM person) TO STDOUT",
      "COPY person TO STDOUT",
      "\\set FETCH_COUNT 1",
      byGender,
    )
    expect(out).toMatch(
      /^gender_concept_id,n\n8507,-?\d+\n8532,-?\d+\nPREPARE\n +n +\n-+\n +-?\d+\n\(1 row\)\n/,
    )
    // By a cursor of psql's own, the same answer from the record.
    expect(out).toMatch(/ +8507 \| +-?\d+\n +8532 \| +-?\d+\n\(2 rows\)\n\n$/)
    expect(error).toContain("LINE 1: COPY (SELECT nope FROM person) TO STDOUT\n                     ^\n")
    expect(error).toContain(
      "ERROR:  COPY gives answers here, not rows of tables\nHINT:  COPY (SELECT ...) TO STDOUT",
    )
  })

  test("an auditor sees the tables and may not ask", async () => {
    const { out, error } = await psql("user=eve", "\\dt death", byGender)
    expect(out).toContain("death")
    expect(error).toContain(`ERROR:  eve may not ask questions [${"account/no-right"}]`)
  })
})

test("pg: parameters, prepared statements, binary results, errors with their place", async () => {
  const client = new pg.Client(house.login)
  await client.connect()
  const sql = "SELECT COUNT(*) AS n FROM person WHERE year_of_birth > $1"
  const text = await client.query<{ n: string }>({ name: "one", text: sql, values: [1950] })
  expect(text.fields[0]).toMatchObject({ name: "n", dataTypeID: 20 })
  expect(text.rows[0]?.n).toMatch(/^-?\d+$/)
  // The same question again is answered from the record.
  expect((await client.query({ name: "one", text: sql, values: [1950] })).rows).toEqual(text.rows)
  const failing = await client.query("SELECT 'ä', nope FROM person").catch((error: unknown) => error)
  expect(failing).toMatchObject({ code: "42703", position: "13", hint: "name a column of a table in FROM" })
  expect((await client.query("")).rows).toEqual([])
  const explained = await client.query<{ explanation: string }>({
    text: `/* why */ EXPLAIN ${sql}`,
    values: [1950],
  })
  expect(explained.rows.map(({ explanation }) => explanation).join("\n")).toContain("aggregate   COUNT(*)")
  // With an error to reach, EXPLAIN tells what it takes; no look is paid.
  await client.query("SET dosimeter.within = '5%'")
  const within = await client.query<{ explanation: string }>("EXPLAIN SELECT COUNT(*) FROM death")
  expect(within.rows[0]?.explanation).toMatch(/^within {6}5%: this look tells/)
  await client.query("RESET dosimeter.within")
  await client.query("BEGIN")
  await client.query("SELECT nope FROM person").catch(() => {})
  expect(await client.query(byGender).catch((error: unknown) => error)).toMatchObject({ code: "25P02" })
  await client.query("ROLLBACK")
  expect((await client.query(`${byGender}; SHOW dosimeter.intervals`)) as unknown).toHaveLength(2)
  await client.end()
})

test("pg: cursors, prepared statements of SQL, copies in the extended form", async () => {
  const client = new pg.Client(house.login)
  await client.connect()
  const rows = async (text: string, values: unknown[] = []): Promise<readonly unknown[]> =>
    (await client.query({ text, values, rowMode: "array" })).rows
  const all = await rows(byGender)
  expect(await client.query("DECLARE c CURSOR FOR SELECT 1").catch((error: unknown) => error)).toMatchObject({
    code: "25P01",
  })
  await client.query("BEGIN")
  await client.query({
    text: byGender.replace("SELECT", "DECLARE c NO SCROLL CURSOR FOR SELECT"),
    values: [],
  })
  expect([
    await rows("FETCH FORWARD 1 FROM c"),
    await rows("FETCH ALL FROM c"),
    await rows("FETCH c"),
  ]).toEqual([all.slice(0, 1), all.slice(1), []])
  expect(await rows("FETCH PRIOR FROM c").catch((error: unknown) => error)).toMatchObject({ code: "55000" })
  await client.query("ROLLBACK")
  expect(await rows("FETCH c").catch((error: unknown) => error)).toMatchObject({ code: "34000" })
  await client.query("DECLARE h CURSOR WITH HOLD FOR SELECT COUNT(*) FROM death WHERE person_id > $1", ["0"])
  expect(await client.query("MOVE ALL IN h")).toMatchObject({ command: "MOVE", rowCount: 1 })
  expect(await rows("FETCH LAST FROM h")).toHaveLength(1)
  await client.query("CLOSE h")
  await client.query("PREPARE both (int, text) AS SELECT COUNT(*) FROM person WHERE year_of_birth > $1")
  expect(await rows("EXECUTE both (1950)")).toHaveLength(1)
  expect(await rows("EXECUTE both (1950, 2)").catch((error: unknown) => error)).toMatchObject({
    code: "42601",
  })
  expect(await client.query(`COPY (${byGender}) TO STDOUT`)).toMatchObject({ command: "COPY", rowCount: 2 })
  await client.end()
})

test("who was disabled is cut off from tables and budget too, in sessions that are open", async () => {
  await house.accounts.add("mallory", "analyst", password)
  const client = new pg.Client({ ...house.login, user: "mallory" })
  await client.connect()
  const looks = [
    "SELECT table_name FROM information_schema.tables",
    "SHOW dosimeter.budget",
    "COPY (SELECT relname FROM pg_catalog.pg_class) TO STDOUT",
    byGender,
  ]
  for (const sql of looks) await client.query(sql)
  await house.accounts.disable("mallory")
  for (const sql of looks) {
    const refused: unknown = await client.query(sql).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: "42501", message: expect.stringContaining("[account/no-right]") })
  }
  await client.end()
})

test("postgres.js: typed parameters, cursors, cancel, TLS", async () => {
  const options = {
    host: "127.0.0.1",
    user: "ada",
    password,
    database: "hospital",
    max: 2,
    onnotice: () => {},
  } as const
  const sql = postgres({ ...options, port: house.server.port })
  const rows =
    await sql`SELECT EXTRACT(YEAR FROM visit_start_date) AS year, COUNT(*) AS visits FROM visit_occurrence
    WHERE visit_start_date >= ${"2015-01-01"} GROUP BY 1 ORDER BY 1`
  expect(rows.columns.map(({ name }) => name)).toEqual(["year", "visits"])
  // Bounds need values, and the statement is described before there are any.
  const bounded = await sql`SELECT SUM(CLAMP(value_as_number, ${"0"}, ${"300"})) AS total FROM measurement`
  expect(bounded.columns.map(({ name }) => name)).toEqual(["total"])
  const since = await sql`SELECT COUNT(*) AS n FROM death WHERE death_date >= CAST(${"2015-01-01"} AS DATE)`
  expect(since).toHaveLength(1)
  const unknown = await sql`SELECT COUNT(*) FROM nothing WHERE x < ${"1"}`.catch((error: unknown) => error)
  expect(unknown).toMatchObject({ code: "42P01" })
  const pages: number[] = []
  await sql`SELECT table_name FROM information_schema.tables`.cursor(3, (page) => {
    pages.push(page.length)
  })
  expect(pages).toEqual([3, 3, 3])
  // Constants alone, which no bound of a person's work is about.
  const thousand = `(VALUES ${Array.from({ length: 1000 }, (_, index) => `(${index})`).join(", ")})`
  const constants = ["a", "b", "c", "d"].map((name) => `${thousand} AS ${name}(x)`).join(", ")
  const slow = sql.unsafe(`SELECT COUNT(*) FROM person
    WHERE EXISTS (SELECT 1 FROM ${constants} WHERE a.x * b.x + c.x * d.x = -1)`)
  const stopped = slow.catch((error: unknown) => error)
  // Charged, so it is being answered.
  await expect.poll(async () => (await house.engine.ledger.unsettled()).length).toBe(1)
  slow.cancel()
  expect(await stopped).toMatchObject({ code: "57014" })
  await sql.end()
  const plain = postgres({ ...options, port: house.secure.port, max: 1 })
  expect(await plain`SELECT 1`.catch((error: unknown) => error)).toMatchObject({ code: "28000" })
  await plain.end()
  const encrypted = postgres({
    ...options,
    port: house.secure.port,
    max: 1,
    ssl: { rejectUnauthorized: false },
  })
  expect(await encrypted`SHOW dosimeter.intervals`).toHaveLength(1)
  await encrypted.end()
})

test("nonsense ends the connection, and neither it nor silence anything else", async () => {
  const isTls = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47, 1, 2, 3])
  for (const bytes of [Buffer.from("GET / HTTP/1.1\r\n\r\n"), isTls, Buffer.alloc(50_000, 255)]) {
    const socket = connect(house.server.port, "127.0.0.1")
    const closed = new Promise((resolve) => {
      socket.once("close", resolve)
    })
    socket.on("error", () => {})
    // After its answer to the question for TLS the server waits for more than three bytes.
    socket.on("data", () => (bytes === isTls ? socket.destroy() : undefined))
    socket.write(bytes)
    await closed
  }
  const client = new pg.Client(house.login)
  await client.connect()
  expect((await client.query("SHOW dosimeter.intervals")).rows).toHaveLength(1)
  await client.end()
})
