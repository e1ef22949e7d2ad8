// A node as a process of its own, for tests that kill it: joins, dials, and approves every job that it is
// offered. Its site answers by signed letters and reads no data.

import { connect, createServer } from "node:net"
import { join } from "node:path"
import { Inbox } from "../federation/node/inbox.ts"
import { CoordinatorLine } from "../federation/node/coordinator-line.ts"
import { Dialler } from "../federation/node/dialler.ts"
import { join as joinStudy, membershipOf } from "../federation/node/membership.ts"
import { NodeWork } from "../federation/node/work.ts"
import { openKeyFile } from "../federation/wire/identity.ts"
import { readInvitation } from "../federation/wire/invitation.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import { LetterSite, quick } from "./consortium.ts"

const [folder = "", given = "", life = "60", gateway = ""] = process.argv.slice(2)
const invitation = readInvitation(given)
// In a network namespace this machine's own address is the namespace's: carried to the other side.
if (gateway !== "") {
  const port = Number(new URL(invitation.url).port)
  const server = createServer((socket) => {
    const onward = connect(port, gateway)
    onward.pipe(socket).pipe(onward)
    onward.on("error", () => socket.destroy())
    socket.on("error", () => onward.destroy())
  })
  server.listen(port, "127.0.0.1").unref()
}
const store = openSqliteState(join(folder, "server.state"))
const signer = openKeyFile(join(folder, "node.key"))
const { url, coordinator, site } = invitation
const line = new CoordinatorLine({ url, coordinator, site, signer, route: {} })
const note = (text: string): void => void process.stdout.write(`${text}\n`)
// Whoever started it may be gone: it ends by itself.
const end = AbortSignal.timeout(Number(life) * 1000)
while ((await membershipOf(store)) === undefined && !end.aborted) {
  await joinStudy(store, { invitation, signer, line, by: "olga" }).catch(() => undefined)
}
const work = new NodeWork({ store, note, site: new LetterSite(site, signer) })
const inbox = new Inbox(store)
const step = async (): Promise<boolean> => {
  for (const { id, state } of await inbox.list()) {
    if (state !== "offered") continue
    await inbox.decide(id, { decision: "approve", reasons: "useful" }, { name: "carl", role: "committee" })
  }
  return work.step()
}
await new Dialler({ store, line, work: step, note, pauses: quick }).run(end)
await store.close()
