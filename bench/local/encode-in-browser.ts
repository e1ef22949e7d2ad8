// How many reports a browser encodes in a second: the device's side of the local model, bundled as for a
// page, in the Chromium of this machine.

import { chromium } from "playwright"
import { bundleOf } from "../../tools/build/build-survey.ts"
import { chromiumFlags, findChromium } from "../../tools/setup/install-chromium.ts"

/** Protocols by the name of their maker in @dosimeter/core/local. */
export type EncoderName = "karyProtocol" | "subsetProtocol" | "unaryProtocol" | "hadamardProtocol"

/** Reports a second for each encoder; undefined where there is no browser. */
export async function encodeInBrowser(
  encoders: readonly EncoderName[],
  options: { readonly values: number; readonly ms: number },
): Promise<ReadonlyMap<EncoderName, number> | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  const script = await bundleOf("\0encode", pageText(encoders, options))
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags] })
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ type: "module", content: script })
    await page.waitForFunction("globalThis.encoded !== undefined")
    const rates: unknown = await page.evaluate("globalThis.encoded")
    if (!Array.isArray(rates)) throw new Error("the page told no rates")
    return new Map(encoders.map((name, index) => [name, Number(rates[index])]))
  } finally {
    await browser.close()
  }
}

function pageText(
  encoders: readonly EncoderName[],
  { values, ms }: { readonly values: number; readonly ms: number },
): string {
  return `
import { ${encoders.join(", ")}, releaseReport, systemBits } from "@dosimeter/core/local"
const rng = systemBits()
function perSecond(make) {
  const protocol = make({ values: ${values}, epsilon: 1 })
  for (let i = 0; i < 500; i += 1) releaseReport(protocol, i % ${values}, rng)
  const started = performance.now()
  let done = 0
  while (performance.now() - started < ${ms}) {
    for (let i = 0; i < 50; i += 1) releaseReport(protocol, (done + i) % ${values}, rng)
    done += 50
  }
  return (1000 * done) / (performance.now() - started)
}
globalThis.encoded = [${encoders.join(", ")}].map(perSecond)
`
}
