// A database that we ask: it gets printed SQL and gives exact tables, inside a Secret.

import type { Constant, Dialect, RelColumn, SqlText } from "@dosimeter/sql"
import type { Secret } from "../execute/secret.ts"
