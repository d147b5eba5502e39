import { isIPv6 } from 'node:net'

/**
 * The network of an address: an IPv4 address itself, of an IPv6 address the first 64 bits. A user with
 * one IPv6 address has its whole network, so requests are counted by network.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  // On a socket for both protocols, the address of an IPv4 peer is `::ffff:192.0.2.7`.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
