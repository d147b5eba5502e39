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
 * Whether a caller may act as a person: they need the permission for it and, for a person with
 * permissions in the administration, every permission.
 */
export function mayImpersonate(own: Permissions, others: Permissions): boolean {
  return holds(own, IMPERSONATE) && (others.size === 0 || own.has('*'))
}

/** Throws 403 unless `mayImpersonate`. */
export function assertMayImpersonate(own: Permissions, others: Permissions): void {
  if (mayImpersonate(own, others)) return
  const message = 'Only an owner may act as another member of staff.'
  throw forbidden(message, 'permission_missing')
}
