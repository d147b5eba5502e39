import { BlockList, isIP, isIPv4 } from 'node:net'

const forbidden = new BlockList()
const local = new BlockList()

/** The ranges that an operator's allow-list may open by a host name: private networks and loopback. */
const LOCAL_RANGES: readonly [string, number][] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]
for (const [network, prefix] of LOCAL_RANGES) local.addSubnet(network, prefix, 'ipv4')
local.addAddress('::1', 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')

/** Never opened by a host name: "this network", link-local with its metadata service, reserved, multicast. */
const RESERVED_RANGES: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
for (const [network, prefix] of RESERVED_RANGES) forbidden.addSubnet(network, prefix, 'ipv4')
/** Tunnels that contain an IPv4 address: Teredo and 6to4. */
forbidden.addSubnet('2001::', 32, 'ipv6')
forbidden.addSubnet('2002::', 16, 'ipv6')

const publicIPv6 = new BlockList()
publicIPv6.addSubnet('2000::', 3, 'ipv6')

export type Reach = 'public' | 'local' | 'forbidden'

/**
 * The kind of an IP address: `public`, `local` (loopback, private, unique-local, CGNAT) or `forbidden`
 * (link-local, metadata, multicast, reserved, IPv4 wrapped in IPv6).
 */
export function reachOf(address: string): Reach {
  if (isIPv4(address)) {
    if (local.check(address, 'ipv4')) return 'local'
    return forbidden.check(address, 'ipv4') ? 'forbidden' : 'public'
  }
  if (isIP(address) !== 6 || address.includes('.') || address.includes('%')) return 'forbidden'
  // Before the other checks: a block list also matches the wrapped IPv4 address.
  if (address.toLowerCase().startsWith('::ffff:')) return 'forbidden'
  if (local.check(address, 'ipv6')) return 'local'
  if (!publicIPv6.check(address, 'ipv6')) return 'forbidden'
  return forbidden.check(address, 'ipv6') ? 'forbidden' : 'public'
}

/** Ports from 1024 up on which something other than a website usually listens. */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  1433, 1434, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 3659, 4045,
  4190, 4369, 5060, 5061, 5432, 5433, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6443, 6566, 6665,
  6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 9042, 9200, 9300, 10080, 10250, 10255, 11211,
  26379, 27017, 27018, 27019,
])

/** Whether a website may be called on this port: 80, 443, and from 1024 up except for known services. */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !SERVICE_PORTS.has(port))
}

/** The ports on which mail servers accept mail. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525])

/** Whether a mail server may be called on this port. */
export function isMailPort(port: number): boolean {
  return MAIL_PORTS.has(port)
}

/** Names that always resolve to the machine itself; all other names are judged by their addresses. */
const HOME_NAMES = [
  'localhost',
  'localdomain',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
  'local.gd',
  'metadata.google.internal',
]

/** Whether a host name is, or ends in, a name for the machine itself or a metadata service. */
export function isHomeName(host: string): boolean {
  return HOME_NAMES.some((name) => host === name || host.endsWith(`.${name}`))
}
