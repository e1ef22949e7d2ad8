// Runs before each test file of the screens: tells React that the changes of a test are waited for (`act`), and
// closes after each test the screens that it has opened.

import { afterEach } from "vitest"
import { closeScreens } from "./open-screen.tsx"

// For as long as the file runs, and not as a stub: screens are closed after a test has taken its stubs away.
Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true)

afterEach(closeScreens)
