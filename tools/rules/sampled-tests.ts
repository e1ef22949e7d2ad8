// The test files that have a long form: `npm test` runs a sample of their cases, the project "deep" all.

import { listFiles, readRepoFile } from "./repo.ts"

/** Test files that ask for samples or whether the long forms run. */
export function sampledTests(): readonly string[] {
  return ["packages", "bench", "tools"]
    .flatMap(listFiles)
    .filter((path) => path.endsWith(".test.ts") && /\b(sampleOf|isLongForm)\b/.test(readRepoFile(path).text))
}
