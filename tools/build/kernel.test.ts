// The kernel that is checked in is the one that its text assembles to.

import { expect, test } from "vitest"
import { assembleKernel } from "./build-kernel.ts"
import { readRepoFile } from "../rules/repo.ts"

test("the generated module of core/noise is what look-up.wat assembles to", async () => {
  const { text } = readRepoFile("packages/core/src/noise/generated/look-up-module.ts")
  expect(text).toBe(await assembleKernel())
})
