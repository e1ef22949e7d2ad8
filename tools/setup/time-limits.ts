// How long tests and whole runs may take. Against hanging only: each is far above what a busy machine needs.

const minute = 60_000

/** One test, or one hook. */
export const testLimitMs = 5 * minute

/** One test of a long form. */
export const longTestLimitMs = 20 * minute

/** All steps of a form of the checks together: `npm test`, and `npm run test:deep`. */
export const formLimitsMs = { quick: 20 * minute, deep: 60 * minute } as const

/** One step, of those that the form leaves. */
export const stepLimitMs = 40 * minute

/** What Vitest may need between tests, to load a file for instance, and to end after the last one. */
export const pauseLimitMs = 2 * minute
