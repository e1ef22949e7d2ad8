// Runs before each test file of the screens: closes after each test the screens that it has opened.

import { afterEach } from "vitest"
import { closeScreens } from "./open-screen.tsx"

afterEach(closeScreens)
