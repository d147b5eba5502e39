import { hash } from 'node:crypto'
import { opaqueImageIn } from '#lib/images/opaque.ts'
import { Unusable } from '#lib/images/unusable.ts'
import { notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { asTenant, type Tx } from '#platform/database/index.ts'
import type { TenantRow } from '../queries.ts'
import { lockTenant } from '../tenants/queries.ts'
import { insertLogo, updateLogo } from './queries.ts'

/**
 * Gives a tenant a logo. Throws 404 for an unknown tenant, 422 for bytes that are no picture which
 * pages, mails and PDF/A can all show.
 */
export function setLogo(
  tx: Tx,
  { id, content }: { id: string; content: Buffer },
  now: Instant,
): Promise<TenantRow> {
  const { mediaType } = readable(content)
  const sha256 = hash('sha256', content, 'buffer')
  return asTenant(tx, id, async () => {
    if (!(await lockTenant(tx, id))) throw notFound('Tenant')
    await insertLogo(tx, { tenantId: id, sha256, mediaType, content, createdAt: now })
    return changed(await updateLogo(tx, id, sha256))
  })
}

/** Takes a tenant's logo off. What it stands on already keeps it. Throws 404 where there is none. */
export function removeLogo(tx: Tx, id: string): Promise<TenantRow> {
  return asTenant(tx, id, async () => {
    const tenant = await lockTenant(tx, id)
    if (!tenant?.logoSha256) throw notFound('Logo')
    return changed(await updateLogo(tx, id, null))
  })
}

function changed(row: TenantRow | undefined): TenantRow {
  if (!row) throw notFound('Tenant')
  return row
}

function readable(content: Buffer) {
  try {
    return opaqueImageIn(content)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    throw unprocessable(error.message, 'logo_unusable')
  }
}
