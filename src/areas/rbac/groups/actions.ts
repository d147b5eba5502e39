import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { badRequest, conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { rolesChanged } from '../events.ts'
import { assertAllFound } from '../roles/actions.ts'
import { lockRoles } from '../roles/queries.ts'
import { assertChangeable, assertHolds } from '../rules.ts'
import {
  deleteGroup,
  findGroup,
  type Group,
  insertGroup,
  listKnownUsers,
  lockGroup,
  replaceGroupMembers,
  replaceGroupRoles,
  updateGroupName,
} from './queries.ts'

type GroupChange = { name?: string; roleIds?: readonly string[]; memberIds?: readonly string[] }

/** A group after a change, and the people whose roles the change affected. */
type Changed = { group: Group; touched: readonly string[] }

/** Creates a group. 403 for roles with permissions that the caller lacks, 409 for a taken name. */
export async function createGroup(
  tx: Tx,
  caller: Caller,
  { name, ...rest }: GroupChange & { name: string },
  now: Instant,
): Promise<Changed> {
  const key = { tenantId: caller.tenantId, id: newId() }
  await refusingTakenName(() => insertGroup(tx, { ...key, name, createdAt: now }))
  return changeGroup(tx, caller, { id: key.id, change: rest })
}

/**
 * Changes a group's name, roles or members. The caller must have every permission that the group gives,
 * before and after the change. 404 for no group, 400 for unknown ids.
 */
export async function changeGroup(
  tx: Tx,
  caller: Caller,
  { id, change }: { id: string; change: GroupChange },
): Promise<Changed> {
  const key = { tenantId: caller.tenantId, id }
  const before = await takeGroup(tx, key)
  const { name, roleIds, memberIds } = change
  await assertMayGive(tx, caller, [...before.roleIds, ...(roleIds ?? [])])
  if (name !== undefined) await refusingTakenName(() => updateGroupName(tx, key, name))
  if (roleIds) await replaceGroupRoles(tx, key, [...new Set(roleIds)])
  if (memberIds) await setMembers(tx, key, [...new Set(memberIds)])
  const group = await takeGroup(tx, key)
  const touched = roleIds || memberIds ? [...before.memberIds, ...group.memberIds] : []
  await announce(tx, caller.tenantId, touched)
  return { group, touched }
}

/** Deletes a group; its members lose the roles they had through it. 404, 403. */
export async function removeGroup(tx: Tx, caller: Caller, id: string): Promise<readonly string[]> {
  const key = { tenantId: caller.tenantId, id }
  const { roleIds, memberIds } = await takeGroup(tx, key)
  await assertMayGive(tx, caller, roleIds)
  await deleteGroup(tx, key)
  await announce(tx, caller.tenantId, memberIds)
  return memberIds
}

async function takeGroup(tx: Tx, key: { tenantId: string; id: string }): Promise<Group> {
  await lockGroup(tx, key)
  const group = await findGroup(tx, key)
  if (!group) throw notFound('Group')
  return group
}

async function assertMayGive(tx: Tx, caller: Caller, roleIds: readonly string[]): Promise<void> {
  if (roleIds.length === 0) return
  const roles = await lockRoles(tx, caller.tenantId, roleIds)
  assertAllFound(roleIds, roles)
  for (const role of roles) {
    // Owners are counted by their direct roles, so a group may not give the owner role.
    assertChangeable(role)
    assertHolds(caller, role.permissions)
  }
}

async function setMembers(
  tx: Tx,
  key: { tenantId: string; id: string },
  memberIds: readonly string[],
): Promise<void> {
  const known = await listKnownUsers(tx, key.tenantId, memberIds)
  const unknown = memberIds.find((id) => !known.includes(id))
  if (unknown !== undefined) {
    throw badRequest(`There is no user ${unknown}.`, [{ path: 'memberIds', message: 'is unknown' }])
  }
  await replaceGroupMembers(tx, key, memberIds)
}

async function announce(tx: Tx, tenantId: string, userIds: readonly string[]): Promise<void> {
  for (const userId of new Set(userIds)) await emit(tx, rolesChanged, { tenantId, userId })
}

async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'one_group_per_name')) throw error
    throw conflict('There is a group of this name already.', 'name_taken')
  }
}
