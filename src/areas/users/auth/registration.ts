import { forbidden } from '#lib/problem.ts'
import type { Guest } from '#platform/area.ts'
import type { Deps } from '#platform/deps.ts'
import { settingsOf } from '#tenants'
import { registrationSettings } from '../settings.ts'

type Applicant = Omit<Guest, 'invitationToken'> & { readonly invitationToken: string | undefined }

/**
 * Throws 403 `registration_closed`, or `invitation_required` if the shop accepts only invited people and the
 * token belongs to no pending invitation of this address. Does not reveal which addresses are invited.
 */
export async function assertMayRegister(
  deps: Deps,
  { invitationToken, ...applicant }: Applicant,
): Promise<void> {
  const { mode } = await settingsOf(applicant.db, applicant.tenantId, registrationSettings)
  if (mode === 'open') return
  if (mode === 'closed') throw forbidden('This shop takes no new accounts.', 'registration_closed')
  if (invitationToken !== undefined) {
    const guest = { ...applicant, invitationToken, email: applicant.email.toLowerCase() }
    for (const { invites } of deps.areas) if (await invites?.(deps, guest)) return
  }
  throw forbidden(
    'This shop takes invited people only. Use the link of the invitation, and the address it was sent to.',
    'invitation_required',
  )
}
