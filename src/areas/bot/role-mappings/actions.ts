import { newId } from '#lib/id.ts'
import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { insertFeed, lockFeed } from '../roles/queries.ts'
import { announceToAll } from '../work.ts'
import {
  countMappings,
  deleteMapping,
  hasSource,
  insertMapping,
  lockMapping,
  type MappingKey,
  type MappingRow,
  updateMapping,
} from './queries.ts'
import type { NewRoleMapping, RoleMappingChange } from './schema.ts'

const MAX_MAPPINGS = 500

/**
 * Gives a role at Discord to everybody who has the source (a product, plan, role or group). Throws 422 for a
 * source that does not exist and beyond 500 mappings, 409 for a mapping that exists already.
 */
export async function createMapping(
  tx: Tx,
  tenantId: string,
  { sourceId = null, ...wanted }: NewRoleMapping,
  now: Instant,
) {
  const row = { tenantId, id: newId(), ...wanted, sourceId, createdAt: now }
  await assertSource(tx, row)
  await insertFeed(tx, tenantId)
  // Counted under the lock: two simultaneous requests cannot both take the last place.
  await lockFeed(tx, tenantId)
  if ((await countMappings(tx, tenantId)) >= MAX_MAPPINGS) {
    throw unprocessable(`There are ${MAX_MAPPINGS} mappings already.`, 'too_many_role_mappings')
  }
  const mapping = await refusingDoubles(() => insertMapping(tx, row))
  await announceLater(tx, tenantId)
  return mapping
}

/** Changes a mapping's source or role. Throws 404, 422 and 409 as `createMapping`. */
export async function changeMapping(tx: Tx, key: MappingKey, change: RoleMappingChange) {
  const before = await lockMapping(tx, key)
  if (!before) throw notFound('Role mapping')
  const after = { ...before, ...change }
  if (change.source === 'active_service' && change.sourceId === undefined) after.sourceId = null
  await assertSource(tx, after)
  const { discordGuildId, discordRoleId, source, sourceId } = after
  const row = { discordGuildId, discordRoleId, source, sourceId }
  const mapping = await refusingDoubles(() => updateMapping(tx, key, row))
  await announceLater(tx, key.tenantId)
  return mapping
}

/** Deletes a mapping: people who have the role by no other mapping lose it. Throws 404. */
export async function removeMapping(tx: Tx, key: MappingKey) {
  if (!(await deleteMapping(tx, key))) throw notFound('Role mapping')
  await announceLater(tx, key.tenantId)
  return { id: key.id, deleted: true }
}

function announceLater(tx: Tx, tenantId: string): Promise<void> {
  return enqueue(tx, announceToAll, { tenantId, after: null }, { key: tenantId })
}

type Sourced = Pick<MappingRow, 'tenantId' | 'source' | 'sourceId'>

async function assertSource(tx: Tx, { tenantId, source, sourceId }: Sourced): Promise<void> {
  if (source === 'active_service') {
    if (sourceId === null) return
    throw unprocessable('Any active service counts for this source.', 'source_without_id', [
      { path: 'sourceId', message: 'is not for `active_service`' },
    ])
  }
  if (sourceId !== null && (await hasSource(tx, source, { tenantId, id: sourceId }))) return
  throw unprocessable(`There is no such ${WORDS[source]}.`, 'source_unknown', [
    { path: 'sourceId', message: 'is unknown' },
  ])
}

const WORDS = { product: 'product', plan: 'plan', rbac_role: 'role', group: 'group' } as const

async function refusingDoubles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'one_mapping_of_a_kind')) throw error
    throw conflict('There is this mapping already.', 'role_mapping_exists')
  }
}
