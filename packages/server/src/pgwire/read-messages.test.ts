import { rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { parameterCount } from "./portals.ts"
import { ProtocolViolation } from "./protocol-violation.ts"
import { readCommand } from "./read-command.ts"
import { MessageReader } from "./read-messages.ts"
import { SessionSettings } from "./session-settings.ts"
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
  ["SET dosimeter.epsilon = 0.5", { kind: "set", name: "dosimeter.epsilon", value: "0.5" }],
  ["set session x to 'it''s';", { kind: "set", name: "x", value: "it's" }],
  ["SET \"TimeZone\" TO 'UTC'", { kind: "set", name: "TimeZone", value: "UTC" }],
  ["SET NAMES 'UTF8'", { kind: "set", name: "client_encoding", value: "UTF8" }],
  ["SHOW dosimeter.budget", { kind: "show", name: "dosimeter.budget" }],
  ["SHOW TRANSACTION ISOLATION LEVEL", { kind: "show", name: "transaction_isolation" }],
  ["RESET ALL", { kind: "reset", name: undefined }],
  ["BEGIN READ ONLY", { kind: "begin" }],
  ["START TRANSACTION", { kind: "begin" }],
  ["END", { kind: "commit" }],
  ["ROLLBACK TO s", { kind: "nothing", tag: "ROLLBACK" }],
  ["abort", { kind: "rollback" }],
  ["DISCARD ALL", { kind: "discard" }],
  ["DEALLOCATE ALL", { kind: "deallocate", name: undefined }],
  ["-- nothing\n/* here */ ;", { kind: "empty" }],
  ["/* x */ SELECT 1", { kind: "question", sql: "/* x */ SELECT 1" }],
])("%s is understood", (sql, command) => {
  expect(readCommand(sql)).toEqual(command)
})

test("parameters are counted outside strings, names and comments", () => {
  expect(parameterCount("SELECT $2, '$9', \"$8\" -- $7\n/* $6 */ WHERE a = $1")).toBe(2)
})

test("settings are checked, and what drivers set is kept", () => {
  const settings = new SessionSettings()
  expect(settings.set("dosimeter.epsilon", "0.5")).toBeUndefined()
  expect(settings.asked.ask.epsilon).toEqual({ numerator: 1n, denominator: 2n })
  settings.set("dosimeter.within", "5 %")
  expect(settings.asked.within).toEqual({ kind: "share", amount: { numerator: 1n, denominator: 20n } })
  settings.set("dosimeter.within", "50")
  expect(settings.asked.within).toEqual({ kind: "size", amount: { numerator: 50n, denominator: 1n } })
  expect(settings.set("application_name", "psql")).toEqual(["application_name", "psql"])
  expect(settings.set("datestyle", "German")).toEqual(["DateStyle", "ISO, MDY"])
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
  settings.set("dosimeter.non_negative", "on")
  settings.set("dosimeter.quantile_intervals", "off")
  settings.set("dosimeter.reuse", "NEVER")
  settings.set("dosimeter.rho", "0.01")
  expect(settings.asked).toEqual({
    ask: {
      weights: { persons: rational(2n), "number of visits": rational(1n, 2n) },
      nonNegative: true,
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
