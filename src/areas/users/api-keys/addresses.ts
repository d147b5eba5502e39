import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether a text is an address or a range: `192.0.2.7`, `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0 || address.includes('%')) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

/** Whether an address is in one of the ranges. An empty list allows every address. */
export function isAllowedFrom(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    const family = isIPv4(network) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(bits), family)
  }
  // A dual-stack socket shows an IPv4 peer as `::ffff:192.0.2.7`.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(plain) === 0) return false
  return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}

/** Whether a whole range is in one of the ranges. An empty list allows every address. */
export function isWithinRanges(range: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true
  const [network = '', bits] = range.split('/')
  const length = isIPv4(network) ? 32 : 128
  return ranges.some((outer) => {
    const [outerNetwork = '', outerBits = String(isIPv4(outerNetwork) ? 32 : 128)] =
      outer.split('/')
    if (isIPv4(outerNetwork) !== isIPv4(network)) return false
    return Number(outerBits) <= Number(bits ?? length) && isAllowedFrom(network, [outer])
  })
}
