// A process of its own that prepares a dataset, for tests of crashes. It prints a line for each copy that it
// begins, and one for the last.

import { readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { prepareDataset } from "../prepare/prepare-dataset.ts"

/** This file. */
export const prepareWorkerUrl: string = import.meta.url

/** Runs in the worker. */
export async function prepareIn(folder: string, state: string): Promise<void> {
  await prepareDataset({
    policy: readFileSync(join(folder, "dosimeter.yaml"), "utf8"),
    folder,
    state,
    onProgress: ({ label, done }) => writeSync(1, `${done} ${label}\n`),
  })
}
