import type { FastifyRequest } from 'fastify'
import { forbidden, notFound } from '#lib/problem.ts'
import { isDefaultTenant } from '../shown.ts'

/**
 * Whether a request comes from the people who run the platform: administrators of the default
 * tenant. Throws 403 for others, 404 where an id asks for a tenant they may not know of.
 */
export async function assertPlatform({ db, tenantId, params }: FastifyRequest): Promise<void> {
  if (await isDefaultTenant(db, tenantId)) return
  if (Object.keys(params as object).length > 0) throw notFound('Tenant')
  throw forbidden('This is for those who run the platform.', 'platform_only')
}
