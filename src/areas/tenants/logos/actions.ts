import { hash } from 'node:crypto'
import { opaqueImageIn } from '#lib/images/opaque.ts'
import { Unusable } from '#lib/images/unusable.ts'
import { notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { asTenant, type Tx } from '#platform/database/index.ts'
import type { TenantRow } from '../queries.ts'
import { lockTenant } from '../tenants/queries.ts'
import { type BrandPicture, PICTURES } from './pictures.ts'
import { insertLogo, updatePictures } from './queries.ts'

/**
 * Gives a tenant a logo or an icon. Throws 404 for an unknown tenant, 422 for bytes that are not a picture which
 * pages, mails and PDF/A can all show.
 */
export function setLogo(
  tx: Tx,
  { id, picture, content }: { id: string; picture: BrandPicture; content: Buffer },
  now: Instant,
): Promise<TenantRow> {
  const { mediaType } = readable(content)
  const sha256 = hash('sha256', content, 'buffer')
  return asTenant(tx, id, async () => {
    if (!(await lockTenant(tx, id))) throw notFound('Tenant')
    await insertLogo(tx, { tenantId: id, sha256, mediaType, content, createdAt: now })
    return changed(await updatePictures(tx, id, { [PICTURES[picture].column]: sha256 }))
  })
}

/** Removes a tenant's logo or icon. What shows it already keeps it. Throws 404 if there is none. */
export function removeLogo(
  tx: Tx,
  { id, picture }: { id: string; picture: BrandPicture },
): Promise<TenantRow> {
  const { column, name } = PICTURES[picture]
  return asTenant(tx, id, async () => {
    const tenant = await lockTenant(tx, id)
    if (!tenant?.[column]) throw notFound(name)
    return changed(await updatePictures(tx, id, { [column]: null }))
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
