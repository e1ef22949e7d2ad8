import { expect, test } from "vitest"
import { troubleOf } from "../../api/trouble.ts"
import { loadOrRenew, type PageAccess } from "./load-or-renew.ts"

function page(isReachable: boolean) {
  const said: string[] = []
  let isRenewed = false
  const access: PageAccess = {
    isReachable: async () => isReachable,
    wasRenewed: () => isRenewed,
    setRenewed: (next) => {
      isRenewed = next
    },
    renew: () => said.push("renewed"),
  }
  return { access, said }
}

const missing = async (): Promise<string> => Promise.reject(new TypeError("no such chunk"))

test("what cannot be loaded while the server is away fails, and loads when it is back", async () => {
  const { access, said } = page(false)
  const error: unknown = await loadOrRenew(missing, access).catch((reason: unknown) => reason)
  expect(troubleOf(error)).toMatchObject({ code: "web/offline", message: "no such chunk" })
  expect(await loadOrRenew(async () => "part", access)).toBe("part")
  expect(said).toEqual([])
})

test("a part that is gone from a server that answers renews the page, once", async () => {
  const { access, said } = page(true)
  void loadOrRenew(missing, access)
  await expect.poll(() => said).toEqual(["renewed"])
  // The part is missing on the new page too: a bug, since the server answers.
  const error: unknown = await loadOrRenew(missing, access).catch((reason: unknown) => reason)
  expect(troubleOf(error)).toMatchObject({ code: "web/unexpected", message: "no such chunk" })
  expect(said).toEqual(["renewed"])
  // Once a part was loaded, the next missing one may renew again.
  await loadOrRenew(async () => "part", access)
  expect(access.wasRenewed()).toBe(false)
})
