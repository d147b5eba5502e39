import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { HostTenant } from '#platform/area.ts'
import type { Database } from '#platform/database/index.ts'
import { findDefaultTenant, findTenantOfHost } from './queries.ts'

/** How long an answer is cached: a change in another process takes effect within this time. */
const REMEMBERED_MS = 1000
const MAX_REMEMBERED = 1000

/** Characters that separate a host from the rest of a URL, or that a URL parser would silently drop. */
const AROUND_NAMES = /[\s\p{Cc}/\\?#@:%,[\]]/u

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const NAME = new RegExp(`^(?=.{1,253}$)(${LABEL}\\.)*${LABEL}$`)

/**
 * A host name as it is stored and compared: lower case, other scripts as punycode, without its
 * port and the dot at its end. Null for a text that is not a host name; an IP address is not one.
 */
export function hostOf(text: string): string | null {
  const bare = text.trim().replace(/:\d{1,5}$/, '')
  if (AROUND_NAMES.test(bare)) return null
  const host = domainToASCII(bare.replace(/\.$/, ''))
  return NAME.test(host) && !isIP(host) ? host : null
}

/** A short-lived cache of host names. */
type Hosts = {
  tenantOf(name: string): Promise<HostTenant | null>
  forget(): void
}

const remembered = new WeakMap<Database, Hosts>()

/** The cache of a database's host names. */
export function hostsOf(database: Database): Hosts {
  let hosts = remembered.get(database)
  if (!hosts) {
    hosts = remembering(database)
    remembered.set(database, hosts)
  }
  return hosts
}

/** The tenant of a host name: the one whose domain it is, else the default tenant. */
function remembering({ everywhere }: Database): Hosts {
  const known = new Map<string, { tenant: Promise<HostTenant | null>; untilMs: number }>()
  async function find(name: string): Promise<HostTenant | null> {
    const host = hostOf(name)
    const own = host === null ? undefined : await findTenantOfHost(everywhere, host)
    const tenant = own ?? (await findDefaultTenant(everywhere))
    if (!tenant) return null
    const { id, suspendedAt, closedAt } = tenant
    return { id, suspended: suspendedAt !== null, closed: closedAt !== null }
  }
  return {
    tenantOf(name) {
      const nowMs = performance.now()
      const entry = known.get(name)
      if (entry && entry.untilMs > nowMs) return entry.tenant
      const tenant = find(name)
      // Host names come from outside: storing all of them would fill the memory.
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(name, { tenant, untilMs: nowMs + REMEMBERED_MS })
      tenant.catch(() => known.delete(name))
      return tenant
    },
    forget: () => known.clear(),
  }
}
