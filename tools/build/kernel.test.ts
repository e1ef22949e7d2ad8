// The kernels that are checked in are the ones that their texts assemble to.

import { expect, test } from "vitest"
import { assembleKernel, kernels } from "./build-kernel.ts"
import { readRepoFile } from "../rules/repo.ts"

test.each(kernels)("$generated is what $text assembles to", async (kernel) => {
  const { text } = readRepoFile(kernel.generated)
  expect(text).toBe(await assembleKernel(kernel))
})
