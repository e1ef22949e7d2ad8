// Tests with a long form: `npm test` runs a sample of their cases, `npm run test:deep` all of them, from the
// same file (tools/rules/sampled-tests.ts finds those that import this one).

/** Whether the long forms run. */
export const isLongForm: boolean = variable("LONG_FORM") === "1"

/** All cases in the long form; otherwise so many of them, evenly spread, the first among them. */
export function sampleOf<Case>(cases: readonly Case[], size: number): readonly Case[] {
  if (isLongForm || cases.length <= size) return cases
  return Array.from({ length: size }, (_, place) => cases[Math.floor((place * cases.length) / size)]).filter(
    (found): found is Case => found !== undefined,
  )
}

/** A variable of the environment; there is none in a browser. */
function variable(name: string): unknown {
  const env = partOf(partOf(globalThis, "process"), "env")
  return partOf(env, name)
}

function partOf(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined
}
