// All tests of the repository, in seven projects. Packages are read from their sources (the "source" condition),
// so nothing is built before a test. TEST_REPORT=file adds a JSON report, TEST_PROGRESS=file a list of what
// has begun and ended; MUTANT=name plants a bug.

import { join } from "node:path"
import { playwright } from "@vitest/browser-playwright"
import { defineConfig } from "vitest/config"
import { AlphaReporter } from "./tools/setup/alpha-reporter.ts"
import { chromiumFlags, findChromium } from "./tools/setup/install-chromium.ts"
import { ProgressReporter } from "./tools/setup/progress-reporter.ts"
import { mutatePlugin } from "./tools/mutants/mutate-plugin.ts"
import { longTestLimitMs, testLimitMs } from "./tools/setup/time-limits.ts"
import { scratchFolder } from "./tools/setup/scratch-setup.ts"
import { sampledTests } from "./tools/rules/sampled-tests.ts"

const conditions = ["source"]
const notOurs = ["**/node_modules/**", "**/dist/**"]
const report = process.env["TEST_REPORT"] ?? ""
const progress = process.env["TEST_PROGRESS"] ?? ""
const executablePath = findChromium()
/** What runs before each test file in Node. */
const before = (...files: readonly string[]): string[] =>
  ["./tools/setup/progress-setup.ts", ...files].map((path) => join(import.meta.dirname, path))
const fresh = "./tools/setup/fresh-setup.ts"
const properties = "./tools/setup/property-setup.ts"
const statistics = "./tools/setup/stat-setup.ts"
/** Temporary folders go here, and anchors of ledgers too: never into somebody's home folder. */
const scratch = scratchFolder()

export default defineConfig({
  plugins: [mutatePlugin()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    hookTimeout: testLimitMs,
    expect: { poll: { timeout: testLimitMs / 2 } },
    // By default one core is left alone, which on two means half of them.
    maxWorkers: "100%",
    env: { TMPDIR: scratch, XDG_STATE_HOME: join(scratch, "state") },
    globalSetup: ["./tools/setup/scratch-setup.ts"],
    // Files of one worker share its modules, which takes half of the time of loading them. What a draw reads
    // may depend on earlier draws in one place only: tools/setup/fresh-setup.ts clears it before each file.
    isolate: false,
    reporters: [
      "default",
      ...(report === "" ? [] : [["json", { outputFile: report }] satisfies [string, object]]),
      ...(progress === "" ? [] : [new ProgressReporter(progress)]),
      new AlphaReporter(),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: [
            ...notOurs,
            "**/*.stat.test.ts",
            "**/*.browser.test.ts",
            "**/*.deep.test.ts",
            "**/*.trino.test.ts",
          ],
          setupFiles: before(fresh, properties),
          // A busy machine is slow; a test that hangs is still found.
          testTimeout: testLimitMs,
        },
      },
      {
        // Screens, drawn as text or used in a document without a browser. Resolved as the pages are: some
        // libraries of React have a "source" of their own that is not installed.
        extends: "./packages/web/vite.config.ts",
        test: {
          name: "web",
          environment: "happy-dom",
          setupFiles: before("./packages/web/src/testing/setup.ts"),
          include: ["packages/web/src/**/*.test.tsx"],
          isolate: false,
          testTimeout: testLimitMs,
          hookTimeout: testLimitMs,
        },
      },
      {
        extends: true,
        test: {
          name: "stat",
          include: ["packages/*/src/**/*.stat.test.ts"],
          exclude: notOurs,
          setupFiles: before(fresh, statistics),
          // By themselves, after the others: a worker keeps its modules as long as the project is the same.
          sequence: { groupOrder: 1 },
          testTimeout: testLimitMs,
        },
      },
      {
        extends: true,
        test: {
          // The long forms: campaigns, exhaustive checks, other servers. `npm run test:deep` runs them.
          name: "deep",
          sequence: { groupOrder: 2 },
          // Files that run a sample of their cases above run all of them here.
          include: ["packages/*/src/**/*.deep.test.ts", ...sampledTests()],
          exclude: notOurs,
          env: { LONG_FORM: "1" },
          setupFiles: before(fresh, properties),
          testTimeout: longTestLimitMs,
        },
      },
      {
        extends: true,
        test: {
          // Against a running Trino: `npm run test:deep -- trino` starts one.
          name: "trino",
          include: ["packages/*/src/**/*.trino.test.ts"],
          exclude: notOurs,
          setupFiles: before(fresh, properties),
          // One after the other: it is one server, with little memory.
          fileParallelism: false,
          testTimeout: longTestLimitMs,
        },
      },
      {
        extends: true,
        test: {
          name: "tools",
          include: ["tools/**/*.test.ts"],
          exclude: notOurs,
          setupFiles: before(),
          testTimeout: testLimitMs,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: notOurs,
          globalSetup: ["./tools/setup/e2e-setup.ts"],
          setupFiles: before(),
          env: { E2E_CHROMIUM: executablePath ?? "", E2E_FLAGS: chromiumFlags.join(" ") },
          testTimeout: testLimitMs,
        },
      },
      {
        extends: true,
        optimizeDeps: { include: ["fast-check", "libpg-query/wasm/libpg-query.js", "yaml"] },
        test: {
          name: "browser",
          include: ["packages/{core,proof,language,policy,answers,planner,ml}/src/**/*.test.ts"],
          // Statistics of what is drawn run here for bits and laws (random, noise). What is made of them runs
          // on the same engine as in Node, from the same bits; its other tests are here.
          exclude: [
            ...notOurs,
            "**/*.node.test.ts",
            "**/*.deep.test.ts",
            "**/*.trino.test.ts",
            "packages/core/src/{mechanisms,post,testing}/**/*.stat.test.ts",
            "packages/{proof,answers,planner,ml}/src/**/*.stat.test.ts",
          ],
          setupFiles: [fresh, statistics, properties],
          testTimeout: testLimitMs,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                args: [...chromiumFlags],
                ...(executablePath === undefined ? {} : { executablePath }),
              },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
})
