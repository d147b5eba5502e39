import { type Caller, holds } from '#lib/caller.ts'
import { conflict, forbidden, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { userSuspended, userUnsuspended } from '../events.ts'
import type { UserRow } from '../queries.ts'
import { revokeSessions } from '../sessions/queries.ts'
import { lockPeople, updateSuspension } from './queries.ts'

type Target = {
  userId: string
  /** What the person may do in the administration. */
  permissions: ReadonlySet<string>
}

/**
 * Suspends a person: their sessions end, their keys stop. 404 for nobody, 409 for oneself, 403 for
 * somebody who may do what the caller may not.
 */
export async function suspend(
  tx: Tx,
  caller: Caller,
  target: Target,
  now: Instant,
): Promise<UserRow> {
  const { tenantId } = caller
  const { userId } = target
  if (userId === caller.userId) throw conflict('You cannot suspend yourself.', 'own_account')
  const user = await lockTarget(tx, caller, target)
  if (user.suspendedAt) return user
  await updateSuspension(tx, { tenantId, userId }, now)
  await revokeSessions(tx, { tenantId, userId }, now)
  await emit(tx, userSuspended, { tenantId, userId })
  return { ...user, suspendedAt: now }
}

/** Lets a suspended person back in. 404 for nobody, 403 as for `suspend`. */
export async function unsuspend(tx: Tx, caller: Caller, target: Target): Promise<UserRow> {
  const { tenantId } = caller
  const { userId } = target
  const user = await lockTarget(tx, caller, target)
  if (!user.suspendedAt) return user
  await updateSuspension(tx, { tenantId, userId }, null)
  await emit(tx, userUnsuspended, { tenantId, userId })
  return { ...user, suspendedAt: null }
}

async function lockTarget(tx: Tx, caller: Caller, { userId, permissions }: Target) {
  const people = await lockPeople(tx, caller.tenantId, [caller.userId, userId])
  const user = people.find(({ id }) => id === userId)
  if (!user || user.deletedAt) throw notFound('User')
  // Of two who suspend each other at once, one is late.
  if (people.find(({ id }) => id === caller.userId)?.suspendedAt) throw forbidden()
  if (![...permissions].every((permission) => holds(caller.permissions, permission))) {
    throw forbidden('This person may do more than you.', 'permission_missing')
  }
  return user
}
