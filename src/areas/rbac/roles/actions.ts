import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { badRequest, conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Permission, UserKey } from '#platform/area.ts'
import { isConstraintViolation, isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { lockUser } from '#users'
import { rolesChanged } from '../events.ts'
import { assertChangeable, assertHolds, assertKnown } from '../rules.ts'
import {
  deleteRole,
  deleteUserRoles,
  hasOwner,
  insertRole,
  insertUserRoles,
  listDirectRoles,
  lockOwnerRole,
  lockRoles,
  type RoleChange,
  type RoleKey,
  type RoleRow,
  updateRole,
} from './queries.ts'

type NewRole = Pick<RoleRow, 'name' | 'description' | 'permissions'>

/** Creates a role. 422 for unknown permissions, 403 for permissions the caller lacks, 409 for a taken name. */
export async function createRole(
  tx: Tx,
  caller: Caller,
  { wanted, catalogue }: { wanted: NewRole; catalogue: readonly Permission[] },
  now: Instant,
): Promise<RoleRow> {
  assertKnown(wanted.permissions, catalogue)
  assertHolds(caller, wanted.permissions)
  const row = { tenantId: caller.tenantId, id: newId(), ...wanted, system: false, createdAt: now }
  await refusingTakenName(() => insertRole(tx, row))
  return row
}

/** Changes a role for everybody who has it. 404, 409 for the system role, else as `createRole`. */
export async function changeRole(
  tx: Tx,
  caller: Caller,
  { id, change, catalogue }: { id: string; change: RoleChange; catalogue: readonly Permission[] },
): Promise<RoleRow> {
  const key = { tenantId: caller.tenantId, id }
  const role = await lockRole(tx, key)
  assertChangeable(role)
  assertHolds(caller, role.permissions)
  if (change.permissions) {
    assertKnown(change.permissions, catalogue)
    assertHolds(caller, change.permissions)
  }
  return refusingTakenName(() => updateRole(tx, key, change))
}

/** Deletes a role that nobody has. 404, 409 for the system role and for one in use. */
export async function removeRole(tx: Tx, caller: Caller, id: string): Promise<void> {
  const key = { tenantId: caller.tenantId, id }
  const role = await lockRole(tx, key)
  assertChangeable(role)
  assertHolds(caller, role.permissions)
  try {
    await deleteRole(tx, key)
  } catch (error) {
    if (!IN_USE.some((constraint) => isConstraintViolation(error, constraint))) throw error
    throw conflict('This role is still assigned to a person or group.', 'role_in_use')
  }
}

const IN_USE = ['user_roles_tenant_id_role_id_fkey', 'group_roles_tenant_id_role_id_fkey']

/**
 * Sets the roles a person has directly. The caller must have every permission that is given or taken;
 * the last owner's role cannot be taken (409).
 */
export async function assignRoles(
  tx: Tx,
  caller: Caller,
  { userId, roleIds }: { userId: string; roleIds: readonly string[] },
  now: Instant,
): Promise<void> {
  const { tenantId } = caller
  // Locked first: of two people who demote each other at once, the second sees the first one's change.
  const ownerRoleId = await lockOwnerRole(tx, { tenantId, id: newId() }, now)
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('User')
  const held = await listDirectRoles(tx, { tenantId, userId })
  const wanted = [...new Set(roleIds)]
  const given = wanted.filter((id) => !held.includes(id))
  const taken = held.filter((id) => !wanted.includes(id))
  if (given.length + taken.length === 0) return
  const roles = await lockRoles(tx, tenantId, [...given, ...taken])
  assertAllFound(given, roles)
  for (const role of roles) assertHolds(caller, role.permissions)
  if (taken.includes(ownerRoleId) && !(await hasOwner(tx, tenantId, userId))) {
    throw conflict('A shop needs an owner. Make another person an owner first.', 'last_owner')
  }
  await deleteUserRoles(tx, { tenantId, userId }, taken)
  await insertUserRoles(tx, { tenantId, userId }, given, now)
  await emit(tx, rolesChanged, { tenantId, userId })
}

/**
 * Throws 409 for the last owner who can sign in. Takes the lock of the owner role, so that people who are
 * suspended or deleted, or leave, at the same time are checked one after the other.
 */
export async function assertNotLastOwner(
  tx: Tx,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<void> {
  const ownerRoleId = await lockOwnerRole(tx, { tenantId, id: newId() }, now)
  const held = await listDirectRoles(tx, { tenantId, userId })
  if (!held.includes(ownerRoleId) || (await hasOwner(tx, tenantId, userId))) return
  throw conflict('A shop needs an owner. Make another person an owner first.', 'last_owner')
}

/** Makes a person an owner of their tenant, who has every permission. */
export async function grantOwner(
  tx: Tx,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<void> {
  const roleId = await lockOwnerRole(tx, { tenantId, id: newId() }, now)
  await insertUserRoles(tx, { tenantId, userId }, [roleId], now)
  await emit(tx, rolesChanged, { tenantId, userId })
}

/** Gives a person a role. The caller of this function has checked that it may be given. */
export async function grantRole(
  tx: Tx,
  { tenantId, userId }: UserKey,
  roleId: string,
  now: Instant,
): Promise<void> {
  await insertUserRoles(tx, { tenantId, userId }, [roleId], now)
  await emit(tx, rolesChanged, { tenantId, userId })
}

/** Throws 400 if one of the ids is not a role of the tenant. */
export function assertAllFound(ids: readonly string[], roles: readonly RoleRow[]): void {
  const unknown = ids.find((id) => !roles.some((role) => role.id === id))
  if (unknown === undefined) return
  throw badRequest(`There is no role ${unknown}.`, [{ path: 'roleIds', message: 'is unknown' }])
}

async function lockRole(tx: Tx, { tenantId, id }: RoleKey): Promise<RoleRow> {
  const [role] = await lockRoles(tx, tenantId, [id])
  if (!role) throw notFound('Role')
  return role
}

async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'one_role_per_name')) throw error
    throw conflict('There is a role of this name already.', 'name_taken')
  }
}
