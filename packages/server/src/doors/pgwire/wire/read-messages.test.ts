import { rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { ProtocolViolation } from "./protocol-violation.ts"
import { readCommand } from "../commands/read-command.ts"
import { MessageReader } from "./read-messages.ts"
import { SessionSettings } from "../session/session-settings.ts"
import { WireError } from "./wire-error.ts"

function start(...parts: readonly (number | string)[]): MessageReader {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return Buffer.from(`${part}\0`)
      const bytes = Buffer.alloc(4)
      bytes.writeInt32BE(part)
      return bytes
    }),
  )
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  const reader = new MessageReader()
  reader.push(Buffer.concat([length, body]))
  return reader
}

test("a startup message has settings", () => {
  const message = start(196_608, "user", "ada", "database", "hospital", "").start()
  expect(message).toEqual({
    kind: "startup",
    minor: 0,
    parameters: new Map([
      ["user", "ada"],
      ["database", "hospital"],
    ]),
  })
})

test("bytes may come one at a time", () => {
  const reader = new MessageReader()
  const whole = Buffer.from([0x51, 0, 0, 0, 13, ...Buffer.from("SELECT 1"), 0])
  for (const byte of whole.subarray(0, -1)) {
    reader.push(Buffer.from([byte]))
    expect(reader.next()).toBeUndefined()
  }
  reader.push(whole.subarray(-1))
  expect(reader.next()).toEqual({ kind: "query", sql: "SELECT 1" })
  expect(reader.waiting).toBe(0)
})

test.each([
  ["a length that is none", [0x51, 0, 0, 0, 3]],
  ["a length that no stranger may send", [0x51, 0x7f, 0xff, 0xff, 0xff]],
  ["an unknown kind", [0x7a, 0, 0, 0, 4]],
  ["a text without an end", [0x51, 0, 0, 0, 6, 0x41, 0x41]],
  ["text that is not UTF-8", [0x51, 0, 0, 0, 6, 0xff, 0]],
  ["too much", [0x53, 0, 0, 0, 5, 1]],
  ["too little", [0x45, 0, 0, 0, 5, 0]],
  ["a negative list", [0x50, 0, 0, 0, 8, 0, 0, 0xff, 0xff]],
])("%s is a violation", (_, bytes) => {
  const reader = new MessageReader()
  reader.push(Buffer.from(bytes))
  expect(() => reader.next()).toThrow(ProtocolViolation)
})

test("only version 3 is spoken", () => {
  expect(() => start(131_072, "").start()).toThrow(ProtocolViolation)
})

test.each([
  ["SET dosimeter.epsilon = 0.5", { kind: "set", name: "dosimeter.epsilon", value: "0.5", isLocal: false }],
  ["set session x to 'it''s';", { kind: "set", name: "x", value: "it's", isLocal: false }],
  ["SET \"TimeZone\" TO 'UTC'", { kind: "set", name: "TimeZone", value: "UTC", isLocal: false }],
  ["SET NAMES 'UTF8'", { kind: "set", name: "client_encoding", value: "UTF8", isLocal: false }],
  ["SET TIME ZONE 'UTC'", { kind: "set", name: "timezone", value: "UTC", isLocal: false }],
  [
    "SET LOCAL dosimeter.rho /* so */ TO 0.1 -- much",
    { kind: "set", name: "dosimeter.rho", value: "0.1", isLocal: true },
  ],
  [
    "SET dosimeter.weights = persons=2, visits=0.5",
    { kind: "set", name: "dosimeter.weights", value: "persons=2, visits=0.5", isLocal: false },
  ],
  ["SET dosimeter.epsilon TO DEFAULT", { kind: "reset", name: "dosimeter.epsilon" }],
  ["SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", { kind: "nothing", tag: "SET" }],
  ["RESET ROLE", { kind: "nothing", tag: "RESET" }],
  ["DISCARD PLANS", { kind: "nothing", tag: "DISCARD PLANS" }],
  ["SAVEPOINT s", { kind: "savepoint", name: "s" }],
  ["RELEASE SAVEPOINT s", { kind: "release", name: "s" }],
  ["SHOW dosimeter.budget", { kind: "show", name: "dosimeter.budget" }],
  ["SHOW TRANSACTION ISOLATION LEVEL", { kind: "show", name: "transaction_isolation" }],
  ["RESET ALL", { kind: "reset", name: undefined }],
  ["BEGIN READ ONLY", { kind: "begin" }],
  ["START TRANSACTION", { kind: "begin" }],
  ["END", { kind: "commit" }],
  ["ROLLBACK WORK TO SAVEPOINT s", { kind: "rollback-to", name: "s" }],
  ["abort", { kind: "rollback" }],
  ["DISCARD ALL", { kind: "discard" }],
  ["DEALLOCATE ALL", { kind: "deallocate", name: undefined }],
  ["-- nothing\n/* here */ ;", { kind: "empty" }],
  ["/* x */ SELECT 1", { kind: "question", sql: "/* x */ SELECT 1" }],
])("%s is understood", (sql, command) => {
  expect(readCommand(sql)).toEqual(command)
})

test.each([
  ["SET ROLE admin", "42501"],
  ["SET dosimeter.epsilon = E'0.1'", "42601"],
  ["SET dosimeter.epsilon", "42601"],
  ["COMMIT AND CHAIN", "0A000"],
  ["COMMIT PREPARED 'x'", "42601"],
  ["BEGIN nonsense", "42601"],
  ["LISTEN x", "0A000"],
  ["NOTIFY x", "0A000"],
  ["RESET ALL x", "42601"],
])("%s is refused", (sql, state) => {
  expect(() => readCommand(sql)).toThrow(expect.objectContaining({ state }))
})

test("settings are checked, and what drivers set is kept", () => {
  const settings = new SessionSettings()
  expect(settings.set("dosimeter.epsilon", "0.5")).toEqual({})
  expect(settings.asked.ask.epsilon).toEqual({ numerator: 1n, denominator: 2n })
  settings.set("dosimeter.within", "5 %")
  expect(settings.asked.within).toEqual({ kind: "share", amount: { numerator: 1n, denominator: 20n } })
  settings.set("dosimeter.within", "50")
  expect(settings.asked.within).toEqual({ kind: "size", amount: { numerator: 50n, denominator: 1n } })
  expect(settings.set("application_name", "psql")).toEqual({ status: ["application_name", "psql"] })
  expect(settings.set("datestyle", "German")).toEqual({
    status: ["DateStyle", "ISO, MDY"],
    notice: "DateStyle is always ISO, MDY here",
  })
  expect(settings.set("jit", "off")).toEqual({ notice: "jit has no effect here" })
  settings.set("statement_timeout", "5s")
  expect(settings.timeoutMs).toBe(5000)
  settings.set("some.thing", "1")
  expect(settings.show("SOME.thing")).toBe("1")
  for (const [name, value] of [
    ["dosimeter.epsilon", "much"],
    ["dosimeter.intervals", "maybe"],
    ["dosimeter.epsilo", "1"],
    ["dosimeter.weights", "persons"],
    ["dosimeter.reuse", "perhaps"],
    ["client_encoding", "LATIN1"],
    ["server_version", "99"],
    ["nonsense", "1"],
    ["constructor", "1"],
    ["statement_timeout", "soon"],
    ["some.thing", "x".repeat(5000)],
  ] as const) {
    expect(() => settings.set(name, value)).toThrow(WireError)
  }
  settings.reset()
  expect(settings.asked.ask).toEqual({})
  expect(() => settings.show("nonsense")).toThrow(WireError)
})

test("what the command line offers is a setting, too", () => {
  const settings = new SessionSettings()
  settings.set("dosimeter.weights", "persons=2, number of visits = 0.5")
  settings.set("dosimeter.non_negative", "off")
  settings.set("dosimeter.quantile_intervals", "off")
  settings.set("dosimeter.reuse", "NEVER")
  settings.set("dosimeter.rho", "0.01")
  expect(settings.asked).toEqual({
    ask: {
      weights: { persons: rational(2n), "number of visits": rational(1n, 2n) },
      nonNegative: false,
      quantileIntervals: false,
    },
    reuse: "never",
    rho: rational(1n, 100n),
    within: undefined,
    study: undefined,
  })
  settings.set("dosimeter.within", "5%")
  expect(() => settings.asked).toThrow("dosimeter.rho is set beside dosimeter.within")
})

test("what is set in a block goes with it, and LOCAL ends with it", () => {
  const settings = new SessionSettings()
  const epsilon = (): string => settings.show("dosimeter.epsilon")
  expect(() => settings.set("dosimeter.epsilon", "0.1", true)).toThrow(
    expect.objectContaining({ state: "25P01" }),
  )
  settings.set("dosimeter.epsilon", "0.1")
  settings.begin()
  settings.set("dosimeter.epsilon", "0.2", true)
  expect(epsilon()).toBe("0.2")
  settings.savepoint("s")
  settings.set("dosimeter.epsilon", "0.3")
  expect(epsilon()).toBe("0.3")
  settings.rollbackTo("s")
  expect(epsilon()).toBe("0.2")
  settings.release("s")
  expect(() => settings.rollbackTo("s")).toThrow(expect.objectContaining({ state: "3B001" }))
  settings.end(false)
  expect(epsilon()).toBe("0.1")
  settings.begin()
  settings.set("dosimeter.epsilon", "0.4")
  settings.end(true)
  expect(epsilon()).toBe("0.1")
  expect(() => settings.reset("dosimeter.epsilo")).toThrow(WireError)
})
