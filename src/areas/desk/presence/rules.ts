import { type Caller, holds } from '#lib/caller.ts'
import { forbidden } from '#lib/problem.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import { type Kind, NEEDED } from './schema.ts'

/** How long a person counts as present after a heartbeat; the web part sends one every 25 seconds. */
const PRESENT_MS = 60 * SECOND_MS

/** The most people who are listed for one object. */
export const MOST_PRESENT = 20

/** When the presence ends that a heartbeat began. */
export function expiryOf(seenAt: Instant): Instant {
  return later(seenAt, PRESENT_MS)
}

/** Heartbeats up to this time have expired. */
export function expiredAt(now: Instant): Instant {
  return later(now, -PRESENT_MS)
}

/** Throws 403 for staff who may not read objects of this kind. */
export function assertMayRead({ permissions }: Pick<Caller, 'permissions'>, kind: Kind): void {
  const permission = NEEDED[kind]
  if (holds(permissions, permission)) return
  throw forbidden(`This object needs the permission ${permission}.`, 'permission_missing')
}
