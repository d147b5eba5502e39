import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockOffer } from '#tenants'
import { unknownReference } from '../checks.ts'
import { assertOffered } from '../options/offer.ts'
import { arrangeOptions, optionsOfGroup } from '../options/queries.ts'
import { listProductsByIds } from '../products/queries.ts'
import {
  archiveGroupRow,
  findGroup,
  findOpenGroup,
  type GroupKey,
  type GroupRow,
  insertGroup,
  productIdsOf,
  replaceProducts,
  updateGroup,
} from './queries.ts'
import type { GroupChange, NewGroup } from './schema.ts'

/** Adds a group of options. 400 for unknown products. */
export async function createGroup(
  tx: Tx,
  { tenantId }: { tenantId: string },
  { name, position = 0, productIds = [] }: NewGroup,
  now: Instant,
): Promise<GroupRow> {
  await lockOffer(tx, tenantId)
  await assertProducts(tx, tenantId, productIds)
  const row = { tenantId, id: newId(), name, position, createdAt: now }
  await insertGroup(tx, row)
  await replaceProducts(tx, row, productIds)
  return { ...row, archivedAt: null }
}

/**
 * Changes a group: its name, its products, the order of its options. 404, 400 for unknown ids, 409 `option_twice`, 422
 * for options that servers of a product cannot have.
 */
export async function changeGroup(
  tx: Tx,
  key: GroupKey,
  { productIds, optionIds, ...change }: GroupChange,
): Promise<GroupRow> {
  const { tenantId } = key
  await lockOffer(tx, tenantId)
  const before = await findOpenGroup(tx, key)
  if (!before) throw notFound('Option group')
  if (Object.keys(change).length > 0) await updateGroup(tx, key, change)
  if (optionIds) await arrange(tx, key, optionIds)
  if (productIds) {
    const known = (await productIdsOf(tx, tenantId, [key.id])).get(key.id) ?? []
    await assertProducts(
      tx,
      tenantId,
      productIds.filter((id) => !known.includes(id)),
    )
    await replaceProducts(tx, key, productIds)
    await assertOffered(tx, { tenantId, groupId: key.id }, productIds)
  }
  return { ...before, ...change }
}

/** Ends the sale of all options of a group; services keep them. 404. */
export async function archiveGroup(tx: Tx, key: GroupKey, now: Instant) {
  await lockOffer(tx, key.tenantId)
  if (!(await archiveGroupRow(tx, key, now))) throw notFound('Option group')
  return { id: key.id, deleted: true }
}

/** Offers an archived group with its products again. 404, and as `changeGroup`. */
export async function restoreGroup(tx: Tx, key: GroupKey): Promise<GroupRow> {
  const { tenantId, id } = key
  await lockOffer(tx, tenantId)
  const group = await findGroup(tx, key)
  if (!group) throw notFound('Option group')
  await updateGroup(tx, key, { archivedAt: null })
  const productIds = (await productIdsOf(tx, tenantId, [id])).get(id) ?? []
  await assertOffered(tx, { tenantId, groupId: id }, productIds)
  return { ...group, archivedAt: null }
}

async function assertProducts(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  const found = ids.length > 0 ? await listProductsByIds(tx, tenantId, ids) : []
  if (found.length < ids.length) throw unknownReference('productIds')
}

async function arrange(tx: Tx, { tenantId, id }: GroupKey, optionIds: readonly string[]) {
  const own = await optionsOfGroup(tx, { tenantId, groupId: id })
  const known = new Set(own.map((it) => it.id))
  if (optionIds.length !== own.length || optionIds.some((it) => !known.has(it))) {
    throw unknownReference('optionIds')
  }
  await arrangeOptions(tx, tenantId, optionIds)
}
