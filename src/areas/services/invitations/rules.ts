import type { Caller } from '#lib/caller.ts'
import { forbidden, gone } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { MEMBER_PERMISSIONS, type MemberPermission } from '../schema.ts'
import type { InvitationStatus } from './schema.ts'

export type InvitationRow = Row<'services.invitations'>
type Facts = Pick<InvitationRow, 'email' | 'expiresAt' | 'acceptedAt' | 'declinedAt' | 'revokedAt'>

const VALID_MS = 7 * DAY_MS

/** An invitation is open for seven days. */
export function expiryFrom(now: Instant): Instant {
  return later(now, VALID_MS)
}

/** The status is never stored: it is derived from what happened and from the time. */
export function statusOf(invitation: Facts, now: Instant): InvitationStatus {
  if (invitation.acceptedAt) return 'accepted'
  if (invitation.declinedAt) return 'declined'
  if (invitation.revokedAt) return 'revoked'
  return invitation.expiresAt <= now ? 'expired' : 'pending'
}

/** Throws 410 for an invitation that was answered, was revoked or has expired. */
export function assertOpen(invitation: Facts, now: Instant): void {
  const status = statusOf(invitation, now)
  if (status === 'expired') throw gone('This invitation has expired.')
  if (status !== 'pending') throw gone(`This invitation was ${status} already.`)
}

/**
 * Throws 410 like `assertOpen`, and 403 unless the caller has the invited address and has confirmed it.
 */
export function assertAnswerable(
  invitation: Facts,
  { email, emailVerified }: Pick<Caller, 'email'> & { emailVerified: boolean },
  now: Instant,
): void {
  assertOpen(invitation, now)
  if (invitation.email !== email.toLowerCase()) throw forbidden('This invitation is not for you.')
  if (!emailVerified) throw forbidden('Confirm your e-mail address first.', 'email_not_verified')
}

/**
 * The permissions that result from a request: `view` is always included; in the catalogue's order, once
 * each.
 */
export function permissionsFrom(wanted: readonly MemberPermission[]): MemberPermission[] {
  const all = new Set<MemberPermission>(['view', ...wanted])
  return MEMBER_PERMISSIONS.filter((permission) => all.has(permission))
}

/** The name a stranger may see. */
export function firstNameOf(name: string): string {
  return name.trim().split(/\s+/)[0] || '-'
}

export function viewOf(invitation: InvitationRow, now: Instant) {
  const { id, serviceId, email, createdAt, expiresAt } = invitation
  const permissions = invitation.permissions as MemberPermission[]
  const status = statusOf(invitation, now)
  return { id, serviceId, email, permissions, status, createdAt, expiresAt }
}
