import { expect, test } from "vitest"
import { makeVerifier, matchesPassword } from "../../people/scram-verifier.ts"
import { ScramDialogue, ScramFailure, scramMechanism, scramPlusMechanism } from "./scram.ts"

const salt = Buffer.from("W22ZaJ0SNY7soEsUEjb6gQ==", "base64")
const verifier = makeVerifier("pencil", { salt, iterations: 4096 })
const decoy = { secret: Buffer.from("server"), user: "user" }
const nonce = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
const proof = "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="

function dialogue(
  options: Partial<ConstructorParameters<typeof ScramDialogue>[1]> = {},
  mechanism = scramMechanism,
) {
  return new ScramDialogue(mechanism, { verifier, decoy, bindingData: undefined, nonce, ...options })
}

test("the dialogue of RFC 7677", () => {
  const scram = dialogue()
  expect(scram.first("n,,n=user,r=rOprNGfwEbeRWgbNEkqO")).toBe(
    "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
  )
  const last = `c=biws,r=rOprNGfwEbeRWgbNEkqO${nonce},${proof}`
  expect(scram.final(last)).toBe("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")
})

test.each([
  [
    "a wrong proof",
    "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  ],
  ["another nonce", `c=biws,r=rOprNGfwEbeRWgbNEkqO,${proof}`],
  ["another channel", `c=eSws,r=rOprNGfwEbeRWgbNEkqO${nonce},${proof}`],
  ["a short proof", `c=biws,r=rOprNGfwEbeRWgbNEkqO${nonce},p=AAAA`],
  ["nonsense", "hello"],
])("%s fails", (_, message) => {
  const scram = dialogue()
  scram.first("n,,n=user,r=rOprNGfwEbeRWgbNEkqO")
  expect(() => scram.final(message)).toThrow(ScramFailure)
})

test.each([
  "",
  "n,,",
  "n,a=other,n=user,r=x",
  "y",
  "p=tls-unique,,n=user,r=x",
  "p=tls-server-end-point,,n=user,r=x",
])("a first message such as %j fails", (message) => {
  expect(() => dialogue().first(message)).toThrow(ScramFailure)
})

test("an unknown user is asked with the same salt every time, and fails at the end", () => {
  const ask = (user: string) =>
    dialogue({ verifier: undefined, decoy: { ...decoy, user } })
      .first("n,,n=,r=abc")
      .split(",s=")[1]
  expect(ask("nobody")).toBe(ask("nobody"))
  expect(ask("nobody")).not.toBe(ask("somebody"))
  const scram = dialogue({ verifier: undefined })
  scram.first("n,,n=,r=rOprNGfwEbeRWgbNEkqO")
  expect(() => scram.final(`c=biws,r=rOprNGfwEbeRWgbNEkqO${nonce},${proof}`)).toThrow(ScramFailure)
})

test("a client that was told that nothing can be bound has been lied to", () => {
  const bindingData = Buffer.from("certificate")
  expect(() => dialogue({ bindingData }).first("y,,n=,r=abc")).toThrow(ScramFailure)
  expect(() => dialogue({ bindingData }, scramPlusMechanism).first("n,,n=,r=abc")).toThrow(ScramFailure)
  expect(dialogue({ bindingData }, scramPlusMechanism).first("p=tls-server-end-point,,n=,r=abc")).toContain(
    "r=abc",
  )
})

test("passwords are compared as people type them", async () => {
  expect(await matchesPassword("pencil", verifier)).toBe(true)
  expect(await matchesPassword("Pencil", verifier)).toBe(false)
  const wide = makeVerifier("\u00c5ngstr\u00f6m one", { iterations: 1 })
  // Decomposed, with a no-break space and a soft hyphen.
  expect(await matchesPassword("A\u030angstro\u0308m\u00a0o\u00adne", wide)).toBe(true)
})
