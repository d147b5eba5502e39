import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { settingsOf } from '#tenants'
import { findUser, limitSettings, spendAllowance } from '#users'
import { findOwnService, lockService, type ServiceView } from '../queries.ts'
import { statusOf as serviceStatusOf } from '../rules.ts'
import { invitationAccepted, invited } from './events.ts'
import {
  addMember,
  type InvitationKey,
  insertInvitation,
  lockInvitation,
  lockOpenInvitation,
  updateInvitation,
} from './queries.ts'
import {
  assertAnswerable,
  expiryFrom,
  type InvitationRow,
  permissionsFrom,
  statusOf,
} from './rules.ts'
import type { InvitationStatus, NewInvitation } from './schema.ts'

const MAX_SENDS = 10

/**
 * Invites an address to one of the caller's services. A second invitation of an address renews the
 * first. Throws 404 if the service is not the caller's, 409 if it has ended, 422 for the caller's own
 * address, 429 for too many in a day.
 */
export async function invite(
  tx: Tx,
  caller: Caller,
  { serviceId, email, permissions }: NewInvitation & { serviceId: string },
  now: Instant,
): Promise<InvitationRow> {
  const { tenantId, userId } = caller
  // Locked, so that invitations to a service are created one after the other: the second to an address
  // renews the first.
  await lockService(tx, { tenantId, id: serviceId })
  const service = await ownService(tx, caller, serviceId)
  if (serviceStatusOf(service) === 'ended')
    throw conflict('This service has ended.', 'service_ended')
  const address = email.toLowerCase()
  if (address === caller.email.toLowerCase()) {
    throw unprocessable('You have this service already.', 'own_address')
  }
  await spendInvitation(tx, { tenantId, serviceId, userId }, now)
  const granted = permissionsFrom(permissions)
  const open = await lockOpenInvitation(tx, { tenantId, serviceId, email: address })
  const terms = { permissions: granted, expiresAt: expiryFrom(now) }
  const invitation = open
    ? await updateInvitation(tx, open, { ...terms, sends: nextSend(open) })
    : await insertInvitation(tx, {
        ...{ tenantId, id: newId(), serviceId, invitedBy: userId, email: address },
        ...{ ...terms, createdAt: now, sends: 1 },
      })
  await emit(tx, invited, { tenantId, id: invitation.id, send: invitation.sends })
  return invitation
}

/**
 * Sends the link again, valid for another seven days. Throws 404; 409 if the invitation is no longer
 * open.
 */
export async function resend(
  tx: Tx,
  caller: Caller,
  { serviceId, id }: { serviceId: string; id: string },
  now: Instant,
): Promise<InvitationRow> {
  const invitation = await invitationOf(tx, caller, { serviceId, id })
  assertUnanswered(statusOf(invitation, now))
  const change = { expiresAt: expiryFrom(now), sends: nextSend(invitation) }
  await spendInvitation(tx, { tenantId: caller.tenantId, serviceId, userId: caller.userId }, now)
  const renewed = await updateInvitation(tx, invitation, change)
  await emit(tx, invited, { tenantId: caller.tenantId, id, send: renewed.sends })
  return renewed
}

/** Revokes an invitation. Throws 404 if it is not the caller's, 409 if it was answered. */
export async function revoke(
  tx: Tx,
  caller: Caller,
  { serviceId, id }: { serviceId: string; id: string },
  now: Instant,
): Promise<void> {
  const invitation = await invitationOf(tx, caller, { serviceId, id })
  const status = statusOf(invitation, now)
  if (status === 'revoked') return
  assertUnanswered(status)
  await updateInvitation(tx, invitation, { revokedAt: now })
}

/**
 * Makes the caller a member of the service. Throws 404, 410 or 403 if the invitation is not valid for
 * them.
 */
export async function acceptInvitation(
  tx: Tx,
  caller: Caller,
  id: string,
  now: Instant,
): Promise<InvitationRow> {
  const { tenantId, userId } = caller
  const invitation = await answerable(tx, caller, id, now)
  const { serviceId, permissions } = invitation
  await addMember(tx, { tenantId, serviceId, userId, permissions, createdAt: now })
  await emit(tx, invitationAccepted, { tenantId, id, serviceId, userId })
  return updateInvitation(tx, invitation, { acceptedAt: now, acceptedBy: userId })
}

/** Refuses an invitation. Throws 404, 410 or 403 as for accepting it. */
export async function declineInvitation(
  tx: Tx,
  caller: Caller,
  id: string,
  now: Instant,
): Promise<InvitationRow> {
  const invitation = await answerable(tx, caller, id, now)
  return updateInvitation(tx, invitation, { declinedAt: now })
}

async function answerable(tx: Tx, caller: Caller, id: string, now: Instant) {
  const { tenantId, userId, email } = caller
  const invitation = await lockInvitation(tx, { tenantId, id })
  if (!invitation) throw notFound('Invitation')
  const user = await findUser(tx, { tenantId, userId })
  const emailVerified = Boolean(user?.emailVerifiedAt)
  assertAnswerable(invitation, { email: user?.email ?? email, emailVerified }, now)
  return invitation
}

async function ownService(tx: Tx, caller: Caller, serviceId: string): Promise<ServiceView> {
  const service = await findOwnService(tx, caller, serviceId)
  if (!service) throw notFound('Service')
  return service
}

async function invitationOf(
  tx: Tx,
  caller: Caller,
  { serviceId, id }: { serviceId: string; id: string },
): Promise<InvitationRow & InvitationKey> {
  await ownService(tx, caller, serviceId)
  const invitation = await lockInvitation(tx, { tenantId: caller.tenantId, id })
  if (invitation?.serviceId !== serviceId) throw notFound('Invitation')
  return invitation
}

function assertUnanswered(status: InvitationStatus): void {
  if (status === 'pending' || status === 'expired') return
  throw conflict(`This invitation was ${status} already.`, 'invitation_closed')
}

/**
 * Counts an invitation against the quota: it is a mail to a person who did not ask for it. Throws 429
 * for too many in a day.
 */
async function spendInvitation(
  tx: Tx,
  { tenantId, serviceId, userId }: { tenantId: string; serviceId: string; userId: string },
  now: Instant,
): Promise<void> {
  const most = await settingsOf(tx, tenantId, limitSettings)
  const ofService = { tenantId, kind: 'service-invitations', subject: serviceId } as const
  await spendAllowance(tx, ofService, most.invitationsPerService, now)
  const ofPerson = { tenantId, kind: 'person-invitations', subject: userId } as const
  await spendAllowance(tx, ofPerson, most.invitationsPerPerson, now)
}

function nextSend({ sends }: InvitationRow): number {
  if (sends >= MAX_SENDS) {
    throw conflict('This invitation was sent often enough.', 'too_many_sends')
  }
  return sends + 1
}
