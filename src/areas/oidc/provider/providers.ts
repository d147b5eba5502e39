import type { FastifyRequest } from 'fastify'
import type { Deps } from '#platform/deps.ts'
import { publishedKeysOf } from '../keys/actions.ts'
import { issuerOf } from './issuer.ts'
import type { TenantProvider } from './provider.ts'

const MAX_REMEMBERED = 200

type Providers = (request: FastifyRequest) => Promise<TenantProvider>

const made = new WeakMap<Deps, Providers>()

/** Returns the provider for a request: the endpoints and the pages share one set. */
export function providersOf(deps: Deps): Providers {
  const providers = made.get(deps) ?? makeProviders(deps)
  made.set(deps, providers)
  return providers
}

/** One provider for each tenant and issuer; created again when the tenant's signing keys change. */
function makeProviders(deps: Deps): Providers {
  const { secrets, clock, config } = deps
  const known = new Map<string, TenantProvider>()
  return async ({ db, tenantId, hostname }) => {
    const issuer = await issuerOf(db, config, { tenantId, hostname })
    const keys = await publishedKeysOf({ secrets, db, tenantId }, clock.now())
    // The library is an eighth of what a start would load, and few hosts sign people in to other applications.
    const { makeProvider } = await import('./provider.ts')
    const name = [tenantId, issuer, ...keys.map(({ id }) => id)].join(' ')
    const found = known.get(name)
    const provider = found ?? makeProvider(deps, { tenantId, issuer, keys })
    // The most recently used one is moved to the end: the one removed to make room is the least recently used.
    known.delete(name)
    known.set(name, provider)
    if (known.size > MAX_REMEMBERED) known.delete(known.keys().next().value ?? '')
    return provider
  }
}
