import { holds } from '#lib/caller.ts'
import { forbidden } from '#lib/problem.ts'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'

export const IMPERSONATE = 'users:impersonate'

const LASTS_MS = 30 * MINUTE_MS

/** An impersonation ends by itself after 30 minutes, and is never refreshed. */
export function impersonationEnd(now: Instant): Instant {
  return later(now, LASTS_MS)
}

type Permissions = ReadonlySet<string>

/**
 * Whether somebody may act as a person: they hold the permission for it, and as staff are people
 * with powers of their own, who may do everything already.
 */
export function mayImpersonate(own: Permissions, others: Permissions): boolean {
  return holds(own, IMPERSONATE) && (others.size === 0 || own.has('*'))
}

/** Throws 403 where `mayImpersonate` says no. */
export function assertMayImpersonate(own: Permissions, others: Permissions): void {
  if (mayImpersonate(own, others)) return
  const message = 'Only somebody who may do everything acts as another member of staff.'
  throw forbidden(message, 'permission_missing')
}
