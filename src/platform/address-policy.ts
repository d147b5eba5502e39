import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isHomeName, isWebPort, reachOf } from './addresses.ts'
import { OutboundError } from './outbound-error.ts'

/** Finds the IP addresses of a host name; throws if there are none. */
export type Resolve = (host: string) => Promise<string[]>

export type Target = { url: URL; host: string; port: number }

/** Whether a port may be called at a public address. */
type IsPort = (port: number) => boolean

export type AddressPolicy = {
  /** Parses a URL and checks everything that needs no name lookup. Throws `refused_address`. */
  targetOf(text: string): Target
  /** The addresses of a name, each of them checked. Throws `dns` or `refused_address`. */
  addressesOf(target: Pick<Target, 'host' | 'port'>, isPort?: IsPort): Promise<string[]>
}

type Options = { privateHosts: readonly string[]; resolve?: Resolve | undefined }

const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** Decides which addresses may be called: public ones, and those that an operator has allowed. */
export function createAddressPolicy({
  privateHosts,
  resolve = resolveBySystem,
}: Options): AddressPolicy {
  const opened = new Set(privateHosts.map((entry) => entry.trim().toLowerCase()))

  /** Throws `refused_address` unless this address, or the name from which it was resolved, may be called. */
  function assertReachable(address: string, host: string, port: number, isPort: IsPort): void {
    if (isOpened(address, port)) return
    const reach = reachOf(address)
    if (reach !== 'forbidden' && isOpened(host, port)) return
    if (reach !== 'public') throw refused('It belongs to a private or reserved network.')
    if (!isPort(port)) throw refused(`Port ${port} may not be called.`)
  }

  function isOpened(host: string, port: number): boolean {
    return opened.has(`${host}:${port}`) || opened.has(`[${host}]:${port}`)
  }

  function targetOf(text: string): Target {
    const target = parsedUrl(text)
    const { host, port } = target
    if (isIP(host)) assertReachable(host, host, port, isWebPort)
    // An allowed address may be called by any of its names: what they resolve to is checked later.
    else if (![...opened].some((entry) => entry.endsWith(`:${port}`))) {
      if (isHomeName(host)) throw refused('The name points to this machine.')
      if (!isWebPort(port)) throw refused(`Port ${port} may not be called.`)
    }
    return target
  }

  async function addressesOf(
    { host, port }: Pick<Target, 'host' | 'port'>,
    isPort: IsPort = isWebPort,
  ) {
    const addresses = await resolve(host).catch((error: unknown) => {
      throw new OutboundError('dns', 'The name cannot be resolved.', false, error)
    })
    if (addresses.length === 0) {
      throw new OutboundError('dns', 'The name has no address.', false)
    }
    // One private address among public ones is refused too: either could be used.
    for (const address of addresses) assertReachable(address, host, port, isPort)
    return addresses
  }

  return { targetOf, addressesOf }
}

/** Gives a socket the checked addresses and nothing else. */
export function lookupBy({ addressesOf }: AddressPolicy, port: number): LookupFunction {
  return (host, { all }, callback) => {
    addressesOf({ host, port }).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (all || !first) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}

function refused(message: string, cause?: unknown): OutboundError {
  return new OutboundError('refused_address', message, false, cause)
}

/** Parses a URL. Refuses other protocols, credentials, and IP addresses in unusual notations. */
function parsedUrl(text: string): Target {
  if (!URL.canParse(text)) throw refused('It is not a URL.')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused('Only http and https are allowed.')
  }
  if (url.username || url.password) throw refused('Credentials do not belong in a URL.')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  // The parser turns 0x7f000001, 2130706433 and 127.1 into 127.0.0.1; such notations are used to
  // hide an address.
  if (isIP(host) && !text.toLowerCase().startsWith(`${url.protocol}//${url.hostname}`)) {
    throw refused('Write the IP address in its usual form.')
  }
  const port = url.port ? Number(url.port) : url.protocol === 'https:' ? 443 : 80
  return { url, host, port }
}
