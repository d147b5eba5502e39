import { eraseChangesOf } from '#audit'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { forgetMails } from '#notifications'
import { forgetActivity } from '#panel'
import type { Leaving } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { nobody } from '#users'
import { deleteNotesOf } from '../notes/queries.ts'
import { ofPerson } from '../reports/queries.ts'
import { forgetHandovers } from '../tasks/queries.ts'
import { forgetPanelAccount, syncMembers } from '../work.ts'
import {
  deleteInvitations,
  deleteMemberships,
  forgetServiceDetails,
  forgetSubuser,
  hasLivingService,
  listInvitationsBy,
  listPanelsOf,
  listServiceIdsOf,
} from './queries.ts'

/** Throws 409 while a person has a service that has not ended (R8.2). */
export async function assertSettled(tx: Tx, person: Leaving): Promise<void> {
  if (!(await hasLivingService(tx, person))) return
  throw conflict('There are services that have not ended.', 'services_active')
}

/**
 * Erases the names and values that a person typed for their services, and keeps what the books refer to; removes the
 * person from services of others, and deletes the invitations they sent, with the mails. The activity on their servers,
 * and their own on the servers of others, is deleted. Panels are updated by jobs, so a panel that does not answer does
 * not stop this.
 */
export async function erase(tx: Tx, person: Leaving, now: Instant): Promise<void> {
  const { tenantId, userId } = person
  const invitations = await listInvitationsBy(tx, person)
  const references = invitations.flatMap(({ id, sends }) =>
    Array.from({ length: sends }, (_, index) => `invitation ${id} ${index + 1}`),
  )
  await forgetMails(tx, { tenantId, references })
  await deleteInvitations(tx, person)
  await forgetActivity(tx, await ofPerson(tx, person))
  await deleteMemberships(tx, person)
  await forgetServiceDetails(tx, person)
  await forgetHandovers(tx, person)
  await deleteNotesOf(tx, person)
  const objectIds = await listServiceIdsOf(tx, person)
  await eraseChangesOf(tx, { tenantId, objectIds }, now)
  for (const serviceId of await forgetSubuser(tx, person, nobody(userId).email)) {
    await enqueue(tx, syncMembers, { tenantId, serviceId }, { key: serviceId })
  }
  for (const { nodeId } of await listPanelsOf(tx, person)) {
    await enqueue(tx, forgetPanelAccount, { tenantId, nodeId, userId })
  }
}
