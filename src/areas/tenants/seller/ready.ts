import { type Detail, Problem } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import { findTenant, type TenantRow } from '../queries.ts'
import type { Seller } from '../schema.ts'
import { completed, enteredIn, missingIn } from './rules.ts'

/** Who gets the error that a shop does not sell: staff see what is missing, customers do not. */
type Told = 'staff' | 'customer'

/** What a tenant's seller lacks before anything can be sold; empty if the shop sells. */
export async function missingOf(db: Db, tenantId: string): Promise<Detail[]> {
  return missingFrom(await findTenant(db, tenantId))
}

/**
 * The seller as an invoice names it. Throws 409 `shop_not_ready` while it is not complete: nothing is
 * sold and no invoice number is used under a name that nobody entered.
 */
export async function issuerOf(db: Db, tenantId: string, told: Told): Promise<Seller> {
  const tenant = await findTenant(db, tenantId)
  if (!tenant?.sellerReadyAt) throw shopNotReady(missingFrom(tenant), told)
  return completed(enteredIn(tenant.seller))
}

/** Throws as `issuerOf`. */
export async function assertSells(db: Db, tenantId: string, told: Told): Promise<void> {
  await issuerOf(db, tenantId, told)
}

/** 409: the shop does not sell yet. */
export function shopNotReady(details: Detail[], told: Told): Problem {
  const code = 'shop_not_ready'
  if (told === 'customer') {
    return new Problem(409, 'This shop does not take orders at the moment. Try again later.', {
      code,
    })
  }
  const missing = details.map(({ path }) => path).join(', ')
  const message = `The seller is not complete, so nothing is sold. Missing: ${missing}.`
  return new Problem(409, message, { code, details })
}

function missingFrom(tenant: TenantRow | undefined): Detail[] {
  if (tenant?.sellerReadyAt) return []
  return missingIn(enteredIn(tenant?.seller ?? {}))
}
