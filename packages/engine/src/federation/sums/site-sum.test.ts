import { generateKeyPairSync } from "node:crypto"
import { expect, test } from "vitest"
import { CoordinatorSum } from "./coordinator-sum.ts"
import { SiteSum } from "./site-sum.ts"
import { usualThreshold } from "./sum-terms.ts"

test("smoke", () => {
  const names = ["a", "b", "c", "d"]
  const pairs = names.map(() => generateKeyPairSync("ed25519"))
  const terms = {
    id: "job 1",
    sites: names.map((name, i) => ({
      name,
      key: pairs[i]!.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64"),
    })),
    colluding: 0,
    honest: 2,
    threshold: usualThreshold(4, 0),
    numbers: 3,
    limbs: 2,
  }
  const sites = new Map(names.map((name, i) => [name, new SiteSum(terms, { name, signing: pairs[i]!.privateKey })]))
  const coordinator = new CoordinatorSum(terms)
  for (const site of sites.values()) coordinator.receive(site.keys())
  const deliver = (): void => {
    for (const { to, message } of coordinator.close()) {
      const answer = sites.get(to)!.receive(JSON.parse(JSON.stringify(message)))
      if (answer !== undefined) coordinator.receive(JSON.parse(JSON.stringify(answer)))
    }
  }
  deliver()
  deliver()
  for (const [name, site] of sites) if (name !== "c") coordinator.receive(site.mask([1n, -5n, 1n << 40n]))
  deliver()
  deliver()
  expect(coordinator.close()).toEqual([])
})
