import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { lockOffer } from '#tenants'
import { findProductOnSale } from '../products/queries.ts'
import { reviewProducts } from '../products/sellable.ts'
import { deleteTarget, findTarget, insertTarget, lockTarget, updateTarget } from './queries.ts'
import { newCredentials, type TargetKey, type TargetRow } from './rules.ts'
import type { NewTarget } from './schema.ts'

/**
 * Writes the target of a locked product, or removes it with null. Another address has to accept a test before the
 * product is sold again. Throws 409 if services of the product need it (`isNeeded`).
 */
export async function writeTarget(
  tx: Tx,
  key: TargetKey,
  { target, isNeeded }: { target: NewTarget | null; isNeeded: boolean },
): Promise<void> {
  if (!target) {
    if (isNeeded)
      throw conflict('The delivery of a product that was sold is fixed.', 'delivery_fixed')
    return deleteTarget(tx, key)
  }
  const before = await lockTarget(tx, key)
  if (!before) return insertTarget(tx, { ...key, ...target })
  const isOther = target.url !== before.url
  await updateTarget(tx, key, { ...target, ...(isOther && { testedAt: null }) })
}

/**
 * Gives a target a new secret and a new token, shown in clear only now; earlier ones stay valid for a day. Throws 404,
 * and 422 for a product without a target.
 */
export async function renewCredentials(
  tx: Tx,
  key: TargetKey & { secrets: Secrets },
  now: Instant,
): Promise<{ secret: string; token: string }> {
  await lockOffer(tx, key.tenantId)
  await assertProduct(tx, key)
  const target = await lockTarget(tx, key)
  if (!target) throw withoutTarget()
  const { kept, ...shown } = newCredentials(key.secrets, target, now)
  await updateTarget(tx, key, kept)
  await reviewProducts(tx, { tenantId: key.tenantId, id: key.productId }, now)
  return shown
}

/** Records that a target accepted a test, unless it was changed meanwhile. Its product may then be sold. */
export async function recordTest(
  tx: Tx,
  { tenantId, productId, url, secretEnd }: TargetRow,
  now: Instant,
): Promise<void> {
  await lockOffer(tx, tenantId)
  const target = await lockTarget(tx, { tenantId, productId })
  if (target?.url !== url || target.secretEnd !== secretEnd) return
  await updateTarget(tx, target, { testedAt: now })
  await reviewProducts(tx, { tenantId, id: productId }, now)
}

/** A target that can be tested. Throws 404, and 422 for a product without a target, and for one without a secret. */
export async function testableTarget(tx: Tx, key: TargetKey): Promise<TargetRow> {
  await assertProduct(tx, key)
  const target = await findTarget(tx, key)
  if (!target) throw withoutTarget()
  if (target.secretEnd === null) throw missing('webhook.secret')
  return target
}

async function assertProduct(tx: Tx, { tenantId, productId: id }: TargetKey): Promise<void> {
  if (!(await findProductOnSale(tx, { tenantId, id }))) throw notFound('Product')
}

function withoutTarget() {
  return missing('webhook.url')
}

function missing(path: string) {
  const message = 'is missing'
  return unprocessable(`The product is incomplete: ${path} ${message}.`, 'product_incomplete', [
    { path, message },
  ])
}
