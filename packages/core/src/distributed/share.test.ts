import { describe, expect, test } from "vitest"
import { numberNear } from "../exact/dyadic.ts"
import { compare, divide, multiply, rational, zero } from "../exact/rational.ts"
import { gaussianOfRho, gaussianOfVariance, releaseGaussian } from "../mechanisms/additive/gaussian.ts"
import { laplace } from "../mechanisms/additive/laplace.ts"
import { lossOf } from "../mechanisms/mechanism.ts"
import { margins, releaseMargins } from "../mechanisms/tables/margins.ts"
import { releaseTree, tree } from "../mechanisms/tables/tree.ts"
import { boundedSensitivity } from "../privacy/sensitivity.ts"
import { refusalOf } from "../testing/refusals.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import type { SharedSpec } from "./measured-numbers.ts"
import { readShares, releaseShare } from "./release-share.ts"
import { distanceUp, fineVariance, lossOfShares, shareOf } from "./share.ts"

const sensitivity = boundedSensitivity({ groupsPerUnit: 1, lower: 0, upper: 1, neighbours: "add-or-remove" })
const specs: Readonly<Record<string, readonly [SharedSpec, number]>> = {
  gaussian: [gaussianOfRho({ sensitivity, rho: "0.01" }), 5],
  "narrow gaussian": [gaussianOfRho({ sensitivity, rho: 4 }), 5],
  "wide gaussian": [gaussianOfVariance({ sensitivity, variance: 10n ** 30n }), 2],
  margins: [
    margins({
      sizes: [3, 2],
      groupsPerUnit: 1,
      lower: 0n,
      upper: 1n,
      neighbours: "add-or-remove",
      wanted: [{ attributes: [0, 1] }, { attributes: [0] }, { attributes: [] }],
      muSquared: "0.3",
    }),
    6,
  ],
  tree: [
    tree({
      children: [[2], [3, 2]],
      wanted: [1, 1, 1],
      groupsPerUnit: 1,
      lower: 0n,
      upper: 1n,
      neighbours: "add-or-remove",
      muSquared: "0.3",
    }),
    5,
  ],
  laplace: [laplace({ sensitivity, epsilon: "0.1" }), 4],
}

test("smoke", () => {
  for (const [of, exact] of Object.values(specs)) {
    const share = shareOf({ of, exact, honest: 3 })
    const out = releaseShare(share, Array.from({ length: exact }, (_, i) => BigInt(i)), seededBits("a"))
    const own = lossOf(of).zcdp.rho
  }
})
