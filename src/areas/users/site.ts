import type { FastifyRequest } from 'fastify'
import type { Deps } from '#platform/deps.ts'
import { findTenantOfHost } from '#tenants'

/** The address of a shop in browsers. */
export type Site = {
  /** The host name, without a port. */
  host: string
  /** Scheme, host name and port, as browsers write the origin. */
  origin: string
}

/**
 * The site a request came to: the tenant's own domain, else that of `PUBLIC_URL`. A `Host` header
 * only chooses among names that are registered, so that it cannot be forged.
 */
export async function siteOf(
  { config }: Pick<Deps, 'config'>,
  { db, tenantId, hostname }: Pick<FastifyRequest, 'db' | 'tenantId' | 'hostname'>,
): Promise<Site> {
  const url = new URL(config.publicUrl)
  const host = hostname.toLowerCase()
  if (host !== url.hostname) {
    const tenant = await findTenantOfHost(db, host)
    if (tenant?.id === tenantId) url.hostname = host
  }
  return { host: url.hostname, origin: url.origin }
}
