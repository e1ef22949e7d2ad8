// What counts as one address: one of IPv4, and a network of 64 bits of IPv6, as one customer is given.

import { isIP } from "node:net"

/** The part of an address that limits count by. */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%", 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (isIP(plain) !== 6) return plain
  const [head = "", tail] = plain.toLowerCase().split("::")
  const groups = (text: string): readonly string[] => (text === "" ? [] : text.split(":"))
  const [before, after] = [groups(head), groups(tail ?? "")]
  // An IPv4 address at the end stands for two groups.
  const written = before.length + after.length + (plain.includes(".") ? 1 : 0)
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - written }, () => "0")
  const network = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""))
  return `${network.join(":")}::/64`
}
