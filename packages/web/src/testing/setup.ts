// Before each file of the screens' tests: what a test has opened is closed after it.

import { afterEach } from "vitest"
import { closeScreens } from "./open-screen.tsx"

afterEach(closeScreens)
