import type { FastifyRequest } from 'fastify'
import { forbidden, notFound } from '#lib/problem.ts'
import { isDefaultTenant } from '../public-view.ts'

/**
 * Asserts that a request comes from the staff of the platform: administrators of the default
 * tenant. Throws 403 for others, or 404 if the path names a tenant whose existence they may not learn.
 */
export async function assertPlatform({ db, tenantId, params }: FastifyRequest): Promise<void> {
  if (await isDefaultTenant(db, tenantId)) return
  if (Object.keys(params as object).length > 0) throw notFound('Tenant')
  throw forbidden('Only staff of the platform may do this.', 'platform_only')
}
