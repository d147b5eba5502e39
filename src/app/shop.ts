import { Problem } from '#lib/problem.ts'
import { findDefaultTenant, findTenantOfHost } from '#tenants'
import type { Place } from './task.ts'

/** The shop of a host, or the first one. Throws a 404. */
export async function shopAt(
  { everywhere }: Place['database'],
  host: string | null,
): Promise<{ tenantId: string }> {
  const tenant = host
    ? await findTenantOfHost(everywhere, host)
    : await findDefaultTenant(everywhere)
  if (tenant) return { tenantId: tenant.id }
  throw new Problem(
    404,
    host ? `There is no shop ${host}.` : 'There is no shop yet: start the service once.',
  )
}
