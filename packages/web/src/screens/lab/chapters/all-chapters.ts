// The chapters of the Lab, in the order in which they are read.

import type { Chapter } from "../parts/chapter.ts"
import { bayes } from "./bayes.tsx"
import { bell } from "./bell.tsx"
import { choose } from "./choose.tsx"
import { clamping } from "./clamping.tsx"
import { classes } from "./classes.tsx"
import { composition } from "./composition.tsx"
import { delta } from "./delta.tsx"
import { federated } from "./federated.tsx"
import { governance } from "./governance.tsx"
import { local } from "./local.tsx"
import { noise } from "./noise.tsx"
import { parallel } from "./parallel.tsx"
import { post } from "./post.tsx"
import { response } from "./response.tsx"
import { selection } from "./selection.tsx"
import { users } from "./users.tsx"

/** Half of what follows rests on the first. */
export const chapters: readonly Chapter[] = [
  noise,
  bayes,
  clamping,
  users,
  composition,
  parallel,
  post,
  bell,
  delta,
  selection,
  response,
  local,
  federated,
  classes,
  choose,
  governance,
]
