import { type Caller, holds } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, forbidden, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { lockUser } from '#users'
import {
  deleteView,
  insertView,
  listViewsOf,
  lockView,
  updateView,
  type ViewKey,
  type ViewRow,
} from './queries.ts'
import { NEEDED, type NewView, type SavedView, type ViewChange } from './schema.ts'

const MOST_VIEWS = 50

/** Throws 403 for staff who may not read the list. */
export function assertMayRead({ permissions }: Pick<Caller, 'permissions'>, screen: string): void {
  const permission = NEEDED[screen as SavedView['screen']]
  if (holds(permissions, permission)) return
  throw forbidden(`This list needs the permission ${permission}.`, 'permission_missing')
}

/** The lists that somebody may read. */
export function readable({ permissions }: Pick<Caller, 'permissions'>): string[] {
  return Object.entries(NEEDED).flatMap(([screen, permission]) =>
    holds(permissions, permission) ? [screen] : [],
  )
}

/** Saves a view. 403 for a list the caller may not read, 409 for a taken name, 422 for too many views. */
export async function createView(
  tx: Tx,
  caller: Caller,
  { shared = false, ...wanted }: NewView,
  now: Instant,
): Promise<ViewRow> {
  assertMayRead(caller, wanted.screen)
  const { tenantId, userId } = caller
  // Two requests at once must not exceed the limit together.
  await lockUser(tx, { tenantId, userId })
  if ((await listViewsOf(tx, caller)).length >= MOST_VIEWS) {
    throw unprocessable(`A person can save at most ${MOST_VIEWS} views.`, 'too_many_views')
  }
  const row = { tenantId, userId, id: newId(), ...wanted, shared, createdAt: now }
  await refusingTakenName(() => insertView(tx, row))
  return row
}

/** Changes a view of the caller. 404 for one of somebody else, else as `createView`. */
export async function changeView(
  tx: Tx,
  caller: Caller,
  { id, change }: { id: string; change: ViewChange },
): Promise<ViewRow> {
  const key = { ...keyOf(caller), id }
  const view = await lockView(tx, key)
  if (!view) throw notFound('View')
  assertMayRead(caller, view.screen)
  return refusingTakenName(() => updateView(tx, key, change))
}

/** Deletes a view of the caller, also of a list that they may not read any more. 404 for one of somebody else. */
export async function removeView(tx: Tx, key: ViewKey) {
  if (!(await deleteView(tx, key))) throw notFound('View')
  return { id: key.id, deleted: true }
}

function keyOf({ tenantId, userId }: Caller) {
  return { tenantId, userId }
}

async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'views_by_name')) throw error
    throw conflict('You have a view of this name already.', 'name_taken')
  }
}
