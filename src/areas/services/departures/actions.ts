import { conflict } from '#lib/problem.ts'
import { forgetMails } from '#notifications'
import type { Leaving } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  deleteInvitations,
  deleteMemberships,
  forgetServiceDetails,
  hasLivingService,
  listInvitationsBy,
} from './queries.ts'

/** Throws 409 while a person has a service that has not ended (R8.2). */
export async function assertSettled(tx: Tx, person: Leaving): Promise<void> {
  if (!(await hasLivingService(tx, person))) return
  throw conflict('There are services that have not ended.', 'services_active')
}

/**
 * Leaves of a person's services what the books refer to, without the names and values they typed; takes
 * them out of services of others, and takes back the invitations they sent, with the mails.
 */
export async function erase(tx: Tx, person: Leaving): Promise<void> {
  const { tenantId } = person
  const invitations = await listInvitationsBy(tx, person)
  const references = invitations.flatMap(({ id, sends }) =>
    Array.from({ length: sends }, (_, index) => `invitation ${id} ${index + 1}`),
  )
  await forgetMails(tx, { tenantId, references })
  await deleteInvitations(tx, person)
  await deleteMemberships(tx, person)
  await forgetServiceDetails(tx, person)
}
