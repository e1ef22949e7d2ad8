// Federation: what a site pays for its part of a secure sum, in CPU and bytes, and how much wider the noise
// in shares is than that of one trusted party at the same loss.

import { generateKeyPairSync } from "node:crypto"
import { numberNear } from "@dosimeter/core/exact"
import {
  marginOfSum,
  readShares,
  reachOfSum,
  releaseShare,
  shareOf,
  type SharedSpec,
} from "@dosimeter/core/distributed"
import { boundedSensitivity, gaussianOfRho, laplace } from "@dosimeter/core/mechanisms"
import { systemBits } from "@dosimeter/core/noise"
import { CoordinatorSum } from "../../packages/engine/src/federation/sums/coordinator-sum.ts"
import { SiteSum } from "../../packages/engine/src/federation/sums/site-sum.ts"
import type {
  CoordinatorMessage,
  SiteMessage,
} from "../../packages/engine/src/federation/sums/sum-messages.ts"
import { usualThreshold, type SumTerms } from "../../packages/engine/src/federation/sums/sum-terms.ts"
import { formatTable, short } from "../table.ts"
import { benchRounds } from "./regression-rounds.ts"

const neighbours = "add-or-remove"
const sensitivity = boundedSensitivity({ groupsPerUnit: 1, lower: 0, upper: 1, neighbours })
const bell = gaussianOfRho({ sensitivity, rho: "0.01" })
const peak = laplace({ sensitivity, epsilon: "0.1" })

/** What one site paid. */
interface SiteCost {
  readonly noiseMs: number
  readonly sumMs: number
  readonly sentBytes: number
  readonly receivedBytes: number
}

/** Runs the suite; `quick` leaves out vectors of a million numbers, 100 sites, and a regression of ten. */
export async function benchFederated({
  quick,
}: {
  readonly quick: boolean
}): Promise<Readonly<Record<string, number>>> {
  const counts = quick ? [3, 10, 50] : [3, 10, 50, 100]
  const lengths = quick ? [100, 10_000] : [100, 10_000, 1_000_000]
  const medians: Record<string, number> = {}
  const rows = [["sites", "numbers", "noise, s of CPU", "sum, s of CPU", "sent, kB", "received, kB"]]
  costOf(3, 100)
  for (const sites of counts) {
    for (const numbers of lengths) {
      const cost = costOf(sites, numbers)
      rows.push([
        `${sites}`,
        numbers.toLocaleString("en-US"),
        (cost.noiseMs / 1000).toFixed(3),
        (cost.sumMs / 1000).toFixed(3),
        short(cost.sentBytes / 1000),
        short(cost.receivedBytes / 1000),
      ])
      medians[`${sites} sites, ${numbers} numbers: s of CPU a site`] = (cost.noiseMs + cost.sumMs) / 1000
      console.error(`measured: ${rows.at(-1)?.join("  ") ?? ""}`)
    }
  }
  console.log(`One site's part of a secure sum, nobody dropping out. Gaussian shares at rho 0.01.\n`)
  console.log(`${formatTable(rows)}\n`)
  const goal = medians["50 sites, 10000 numbers: s of CPU a site"] ?? Number.NaN
  console.log(
    `${goal < 2 ? "reached" : "MISSED"}: 50 sites, 10,000 numbers: ${short(goal)} s of CPU (goal: 2)\n`,
  )
  const regressions = await benchRounds(quick ? [3] : [3, 10])
  return { ...medians, ...regressions, ...errors(quick ? 4000 : 20_000) }
}

function costOf(count: number, numbers: number): SiteCost {
  const threshold = usualThreshold(count, 1)
  const honest = threshold - 1
  const share = shareOf({ of: bell, exact: numbers, honest })
  const largest = 10n ** 9n
  const limbs = Math.ceil((reachOfSum(share, count, largest).toString(2).length + 1) / 32)
  const pairs = Array.from({ length: count }, () => generateKeyPairSync("ed25519"))
  const terms: SumTerms = {
    id: `bench ${count} ${numbers}`,
    sites: pairs.map(({ publicKey }, index) => ({
      name: `site ${index}`,
      key: publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64"),
    })),
    colluding: 1,
    honest,
    threshold,
    numbers,
    limbs,
  }
  const coordinator = new CoordinatorSum(terms)
  const sites = pairs.map(
    ({ privateKey }, index) => new SiteSum(terms, { name: `site ${index}`, signing: privateKey }),
  )
  const cost = { noiseMs: 0, sumMs: 0, sentBytes: 0, receivedBytes: 0 }
  const timed = <Value>(index: number, run: () => Value): Value => {
    const from = process.cpuUsage()
    const value = run()
    const { user, system } = process.cpuUsage(from)
    if (index === 0) cost.sumMs += (user + system) / 1000
    return value
  }
  const say = (index: number, message: SiteMessage | undefined): void => {
    if (message === undefined) return
    if (index === 0) cost.sentBytes += JSON.stringify(message).length
    coordinator.receive(message)
  }
  const deliver = (): void => {
    for (const { to, message } of coordinator.close()) {
      const index = Number(to.split(" ")[1])
      if (index === 0) cost.receivedBytes += JSON.stringify(message).length
      say(
        index,
        timed(index, () => receive(sites[index], message)),
      )
    }
  }
  for (const [index, site] of sites.entries())
    say(
      index,
      timed(index, () => site.keys()),
    )
  deliver()
  deliver()
  const exact = Array.from({ length: numbers }, (_, place) => BigInt(place))
  const from = process.cpuUsage()
  const own = releaseShare(share, exact, systemBits())
  const { user, system } = process.cpuUsage(from)
  cost.noiseMs = (user + system) / 1000
  // The others pay the same; where vectors are long, only enough of them mask theirs to end the sum.
  const masking = numbers > 10_000 ? terms.threshold : count
  for (const [index, site] of sites.slice(0, masking).entries())
    say(
      index,
      timed(index, () => site.mask(own)),
    )
  deliver()
  deliver()
  if (numbers <= 10_000) checkSum(coordinator, own, masking)
  return cost
}

function receive(site: SiteSum | undefined, message: CoordinatorMessage): SiteMessage | undefined {
  return site?.receive(message)
}

function checkSum(coordinator: CoordinatorSum, own: readonly bigint[], masking: number): void {
  coordinator.close()
  const sum = coordinator.result?.numbers ?? []
  if (sum.some((number, place) => number !== BigInt(masking) * (own[place] ?? 0n)) || sum.length === 0) {
    throw new Error("the sum is not that of the sites' numbers")
  }
}

/** The error of sums of shares beside that of one trusted party, which is charged the same. */
function errors(draws: number): Readonly<Record<string, number>> {
  const rows = [["noise", "sites", "counted on", "drawn sd", "central sd", "ratio", "stated margin"]]
  const medians: Record<string, number> = {}
  // A deviation that is found from so many numbers is off by more than this once in 16,000 times.
  const chance = 4 / Math.sqrt(2 * draws)
  let isWithin = true
  const specs: readonly (readonly [string, SharedSpec, number])[] = [
    ["Gaussian", bell, Math.sqrt(numberNear(bell.variance))],
    ["Laplace", peak, Math.SQRT2 * numberNear(peak.scale)],
  ]
  for (const [name, of, central] of specs) {
    for (const [sites, honest] of [
      [3, 2],
      [10, 8],
      [50, 45],
    ] as const) {
      const share = shareOf({ of, exact: draws, honest })
      const zeros = Array<bigint>(draws).fill(0n)
      const sum = Array<bigint>(draws).fill(0n)
      for (let site = 0; site < sites; site += 1) {
        for (const [place, number] of releaseShare(share, zeros, systemBits()).entries()) {
          sum[place] = (sum[place] ?? 0n) + number
        }
      }
      const noise = readShares(share, sum).flat().map(Number)
      const drawn = Math.sqrt(noise.reduce((total, x) => total + x * x, 0) / draws)
      const margin = marginOfSum(share, sites)
      medians[`${name} noise of ${sites} sites: times central`] = drawn / central
      if (drawn / central > margin * (1 + chance)) isWithin = false
      rows.push([
        name,
        `${sites}`,
        `${honest}`,
        short(drawn),
        short(central),
        (drawn / central).toFixed(3),
        margin.toFixed(3),
      ])
    }
  }
  console.log(`${draws.toLocaleString("en-US")} numbers, at the same loss as one trusted party.\n`)
  console.log(`${formatTable(rows)}\n`)
  console.log(`${isWithin ? "reached" : "MISSED"}: errors within the stated margin of the central model\n`)
  return medians
}
