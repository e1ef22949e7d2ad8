// Network namespaces for tests: each node alone in one of its own, from which only this machine is reached.

import { execFileSync, spawn, type ChildProcess } from "node:child_process"

function ip(...args: readonly string[]): void {
  execFileSync("ip", args, { stdio: "pipe" })
}

/** Namespaces, one for each of so many nodes; or none, where they cannot be made. */
export class Namespaces {
  readonly #net = `dsm${process.pid % 10_000}`
  readonly #count: number
  readonly made: boolean

  constructor(count: number) {
    this.#count = count
    this.made = this.#make()
    if (!this.made) {
      this.remove()
      console.log("network namespaces cannot be made here: the nodes share this machine's network")
    }
  }

  /** What stands before a command that runs in one; nothing where there are none. */
  enter(index: number): readonly string[] {
    return this.made ? ["ip", "netns", "exec", this.#name(index)] : []
  }

  /** This machine's address as it is seen from one. */
  gateway(index: number): string {
    return `10.213.${index}.1`
  }

  /**
   * In a namespace this machine's own address is the namespace's: what is sent there to a port is carried to
   * the other side, by a process that ends with this one.
   */
  carry(index: number, port: number): ChildProcess | undefined {
    if (!this.made) return undefined
    const inside = ["netns", "exec", this.#name(index), process.execPath, "-e", carrier]
    const env = { ...process.env, PORT: `${port}`, GATEWAY: this.gateway(index) }
    return spawn("ip", inside, { env, stdio: ["pipe", "ignore", "inherit"] })
  }

  remove(): void {
    for (let index = 0; index < this.#count; index += 1) {
      try {
        ip("netns", "del", this.#name(index))
      } catch {
        // It was not made.
      }
    }
  }

  #name(index: number): string {
    return `${this.#net}n${index}`
  }

  /** Each is tied to this one by a pair of its own. */
  #make(): boolean {
    try {
      for (let index = 0; index < this.#count; index += 1) {
        const [space, here, there] = [this.#name(index), `${this.#net}h${index}`, `${this.#net}t${index}`]
        ip("netns", "add", space)
        ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", space)
        ip("addr", "add", `${this.gateway(index)}/30`, "dev", here)
        ip("link", "set", here, "up")
        ip("-n", space, "addr", "add", `10.213.${index}.2/30`, "dev", there)
        ip("-n", space, "link", "set", there, "up")
        ip("-n", space, "link", "set", "lo", "up")
      }
      return true
    } catch {
      return false
    }
  }
}

const carrier = `
const { connect, createServer } = require("node:net")
createServer((socket) => {
  const onward = connect(Number(process.env.PORT), process.env.GATEWAY)
  onward.pipe(socket).pipe(onward)
  onward.on("error", () => socket.destroy())
  socket.on("error", () => onward.destroy())
}).listen(Number(process.env.PORT), "127.0.0.1")
process.stdin.on("end", () => process.exit()).resume()
`
