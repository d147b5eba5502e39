import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts'
import { isOfInstallation, type Opening, openingIn } from './private-hosts.ts'

/** The purpose of a call: a private address is allowed for one of these. */
export type Purpose = 'panel' | 'webhook' | 'mail' | 'payment' | 'vies' | 'discord'

/** The tenant and the purpose of a call. */
export type OutboundUse = { readonly tenantId: string; readonly purpose: Purpose }

/** The HTTP clients of a process, by the addresses that they may call. */
export type Outbounds = {
  /** The client for a use; the same object for the same use. */
  for(use: OutboundUse): Outbound
  close(): void
}

type Options = Pick<OutboundOptions, 'resolve' | 'metrics'> & {
  /** Entries of `MOORAGE_PRIVATE_HOSTS`. Throws an Error for an invalid one. */
  privateHosts: readonly string[]
  /** The tenant of a domain, and the default tenant for an unknown one; null asks for the default. */
  tenantIdOf(domain: string | null): Promise<string | null>
}

/**
 * Clients that call public addresses and the private ones that are allowed for their tenant and purpose. Clients with
 * different allowed addresses share no connections, because the address of a kept one is not checked again.
 */
export function createOutbounds({ privateHosts, tenantIdOf, ...options }: Options): Outbounds {
  const openings = privateHosts.map(readOpening)
  const byPlaces = new Map<string, Outbound>()
  const byUse = new Map<string, Outbound>()

  function reaching(places: readonly string[]): Outbound {
    const key = [...new Set(places)].sort().join()
    const known = byPlaces.get(key)
    if (known) return known
    const made = createOutbound({ ...options, privateHosts: places })
    byPlaces.set(key, made)
    return made
  }

  async function clientFor({ tenantId, purpose }: OutboundUse): Promise<Outbound> {
    const places: string[] = []
    for (const opening of openings) {
      if (opening.purpose !== purpose) continue
      if (isOfInstallation(purpose) || (await isOf(opening, tenantId))) places.push(opening.place)
    }
    return reaching(places)
  }

  async function isOf({ domain }: Opening, tenantId: string): Promise<boolean> {
    const fallback = await tenantIdOf(null)
    if (domain === null) return fallback === tenantId
    const owner = await tenantIdOf(domain)
    // A domain without a tenant allows nothing: it may be misspelt.
    return owner === tenantId && owner !== fallback
  }

  return {
    for(use) {
      const key = `${use.tenantId} ${use.purpose}`
      const known = byUse.get(key)
      if (known) return known
      const client: Outbound = {
        request: async (call) => (await clientFor(use)).request(call),
        pass: async (call) => (await clientFor(use)).pass(call),
        assertAllowedUrl: async (url) => (await clientFor(use)).assertAllowedUrl(url),
        isOpened: async (url) => (await clientFor(use)).isOpened(url),
        connectMail: async (place) => (await clientFor(use)).connectMail(place),
        assertAllowedMail: async (place) => (await clientFor(use)).assertAllowedMail(place),
        close: () => {},
      }
      byUse.set(key, client)
      return client
    },
    close() {
      for (const client of byPlaces.values()) client.close()
    },
  }
}

function readOpening(entry: string): Opening {
  const opening = openingIn(entry)
  if (typeof opening === 'string') throw new Error(opening)
  return opening
}
