// Property tests draw the same cases in every run, so that a failure is a failure of the change at hand.
// PROPERTY_SEED=n draws others.

import fc from "fast-check"

const given: unknown = "process" in globalThis ? process.env["PROPERTY_SEED"] : undefined
fc.configureGlobal({ seed: typeof given === "string" ? Number(given) : 20261115 })
