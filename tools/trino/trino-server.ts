// A Trino for tests: a coordinator, with workers if asked for, on this machine's loopback alone. Its catalogs
// are `lake` (Iceberg in a temporary folder), `memory` and `tpch`.

import { spawn, type ChildProcess } from "node:child_process"
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterUs, quoted } from "../../packages/engine/src/testing/after-us.ts"
import type { TrinoFiles } from "./fetch-trino.ts"
import { makeKeys } from "./trino-keys.ts"

/** A server that runs. */
export interface TrinoServer {
  /** Anybody may come in here, from this machine, by a name. */
  readonly url: string
  /** Here a password, token or certificate is asked for. */
  readonly securedUrl: string
  /** The folder of keys: trino-keys.ts. */
  readonly keys: string
  stop(): Promise<void>
}

/** How it is started. */
export interface TrinoOptions {
  /** How many workers there are beside the coordinator; with none, the coordinator works itself. */
  readonly workers?: number
  readonly memoryMb?: number
}

/** Starts a server and waits until it answers. */
export async function startTrino(
  files: TrinoFiles,
  { workers = 0, memoryMb = 2048 }: TrinoOptions = {},
): Promise<TrinoServer> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-trino-"))
  const keys = join(folder, "keys")
  mkdirSync(keys)
  makeKeys(keys)
  const [port, securedPort] = [await freePort(), await freePort()]
  writeSettings(folder, { port, securedPort, workers })
  const children = [startNode(files, folder, { name: "coordinator", memoryMb })]
  for (let worker = 1; worker <= workers; worker += 1) {
    const name = `worker${worker}`
    writeFileSync(
      join(folder, `${name}.properties`),
      lines({ coordinator: "false", "http-server.http.port": `${await freePort()}`, ...shared(port) }),
    )
    children.push(startNode(files, folder, { name, memoryMb }))
  }
  const pids = children.map(({ pid }) => `${pid ?? ""}`)
  const watcher = afterUs(`kill -KILL ${pids.join(" ")}; sleep 1; rm -rf ${quoted(folder)}`)
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(ended))
    watcher.dismiss()
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await ready(url, { children, workers })
  } catch (error) {
    const log = readFileSync(join(folder, "coordinator.log"), "utf8").split("\n").slice(-20).join("\n")
    await stop()
    throw new Error(`Trino did not start:\n${log}`, { cause: error })
  }
  return { url, securedUrl: `https://localhost:${securedPort}`, keys, stop }
}

type Settings = Readonly<Record<string, string>>

const lines = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("")

const shared = (port: number): Settings => ({
  "discovery.uri": `http://127.0.0.1:${port}`,
  "internal-communication.shared-secret": "a test on the loopback of one machine",
})

function writeSettings(
  folder: string,
  {
    port,
    securedPort,
    workers,
  }: { readonly port: number; readonly securedPort: number; readonly workers: number },
): void {
  const key = (name: string): string => join(folder, "keys", name)
  const coordinator: Settings = {
    coordinator: "true",
    "node-scheduler.include-coordinator": `${workers === 0}`,
    "http-server.http.port": `${port}`,
    "http-server.authentication.allow-insecure-over-http": "true",
    "http-server.https.enabled": "true",
    "http-server.https.port": `${securedPort}`,
    "http-server.https.keystore.path": key("server.pem"),
    "http-server.https.truststore.path": key("ca.pem"),
    "http-server.authentication.type": "CERTIFICATE,JWT,PASSWORD",
    "http-server.authentication.jwt.key-file": key("token.pub"),
    "http-server.authentication.certificate.user-mapping.pattern": "CN=(.*)",
    ...shared(port),
  }
  writeFileSync(join(folder, "coordinator.properties"), lines(coordinator))
  writeFileSync(
    join(folder, "password.properties"),
    lines({ "password-authenticator.name": "file", "file.password-file": key("password.db") }),
  )
  const catalogs: Readonly<Record<string, Settings>> = {
    memory: { "connector.name": "memory" },
    tpch: { "connector.name": "tpch" },
    lake: {
      "connector.name": "iceberg",
      "iceberg.catalog.type": "TESTING_FILE_METASTORE",
      "hive.metastore.catalog.dir": "local:///lake",
      "fs.native-local.enabled": "true",
      "local.location": folder,
    },
  }
  mkdirSync(join(folder, "lake"))
  mkdirSync(join(folder, "catalogs"))
  for (const [name, settings] of Object.entries(catalogs)) {
    writeFileSync(join(folder, "catalogs", `${name}.properties`), lines(settings))
  }
}

function startNode(
  { java, lib, plugin }: TrinoFiles,
  folder: string,
  { name, memoryMb }: { readonly name: string; readonly memoryMb: number },
): ChildProcess {
  const settings: Settings = {
    "node.environment": "test",
    "node.id": name,
    "node.data-dir": join(folder, `data-${name}`),
    "node.bind-ip": "127.0.0.1",
    "node.internal-address": "127.0.0.1",
    config: join(folder, `${name}.properties`),
    "password-authenticator.config-files": join(folder, "password.properties"),
    "catalog.config-dir": join(folder, "catalogs"),
    "plugin.dir": plugin,
    "jdk.attach.allowAttachSelf": "true",
  }
  const args = [
    `-Xmx${memoryMb}M`,
    "-XX:+ExitOnOutOfMemoryError",
    "--add-modules=jdk.incubator.vector",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    ...Object.entries(settings).map(([key, value]) => `-D${key}=${value}`),
    "-cp",
    join(lib, "*"),
    "io.trino.server.TrinoServer",
  ]
  const log = openSync(join(folder, `${name}.log`), "w")
  return spawn(join(java, "bin", "java"), args, { cwd: folder, stdio: ["ignore", log, log] })
}

/** Waits until the coordinator and its workers take queries. */
async function ready(
  url: string,
  { children, workers }: { readonly children: readonly ChildProcess[]; readonly workers: number },
): Promise<void> {
  // Against hanging only: a busy machine is slow.
  const give = performance.now() + 900_000
  while (performance.now() < give) {
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error("it ended")
    const nodes = await nodesOf(url)
    if (nodes === 1 + workers) return
    await setTimeout(500)
  }
  throw new Error("it took too long")
}

/** How many nodes answer; 0 as long as none does. */
async function nodesOf(url: string): Promise<number> {
  try {
    const info: { starting?: boolean } = JSON.parse(await textAt(`${url}/v1/info`))
    if (info.starting !== false) return 0
    const body = "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'"
    const headers = { "X-Trino-User": "test" }
    let page: Page = JSON.parse(await textAt(`${url}/v1/statement`, { method: "POST", body, headers }))
    let found = 0
    while (page.nextUri !== undefined) {
      page = JSON.parse(await textAt(page.nextUri, { headers }))
      found = page.data?.[0]?.[0] ?? found
    }
    return found
  } catch {
    return 0 // Not listening yet.
  }
}

async function textAt(url: string, ask: RequestInit = {}): Promise<string> {
  return (await fetch(url, { ...ask, signal: AbortSignal.timeout(30_000) })).text()
}

interface Page {
  readonly nextUri?: string
  readonly data?: readonly (readonly number[])[]
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve())
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.kill("SIGKILL")
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer()
    listener.once("error", reject)
    listener.listen(0, "127.0.0.1", () => {
      const address = listener.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      listener.close(() => resolve(port))
    })
  })
}
