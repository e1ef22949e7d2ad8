// The end of the demo: the lead's screens and the inbox of one hospital, with made-up people, until somebody
// stops it. The other two hospitals have agreed beforehand, so that one person can play both sides.

import { demoHospitals } from "./hospitals.ts"
import { command, freePort, type Processes } from "./processes.ts"

/** Made-up people who may sign in, with the passwords that were made up for them. */
export interface DemoPeople {
  readonly lead: string
  readonly committee: string
}

/** What is served. */
export interface ServedStudy {
  readonly url: string
  readonly people: DemoPeople
  readonly processes: Processes
  readonly at: (name: string) => string
}

/** Serves until Ctrl-C. */
export async function serveStudy({ url, people, processes, at }: ServedStudy): Promise<void> {
  const others = demoHospitals.map(({ name }) => name).filter((name) => name !== "north")
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  for (const name of others) {
    const terms = ["--each", "1", "--epsilon", "3", "--delta", "1e-7", "--until", until]
    await command(at(name), "node", "standing", "add", "--pattern", "SELECT *", ...terms, "--as", "carl")
  }
  processes.start("west", at("west"), "node", "run")
  const [http, pg] = [await freePort(8081), await freePort(5434)]
  processes.start(
    "the screens of north",
    at("north"),
    "serve",
    "--http-port",
    `${http}`,
    "--pg-port",
    `${pg}`,
  )
  console.log(`
The lead's screens:      ${url}        sign in as lena, ${people.lead}
The inbox of north:      http://127.0.0.1:${http}        sign in as carl, ${people.committee}

South and west have agreed beforehand to questions that begin with SELECT, up to epsilon 1 each. Ask as lena,
decide as carl, and look at the answer as lena. Ctrl-C stops it.`)
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve())
    process.once("SIGTERM", () => resolve())
  })
}
