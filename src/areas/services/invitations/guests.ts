import type { Guest } from '#platform/area.ts'
import type { Deps } from '#platform/deps.ts'
import { findPreview } from './queries.ts'
import { statusOf } from './rules.ts'
import { idIn } from './tokens.ts'

/** Whether a token belongs to a pending invitation that was sent to this address. */
export async function isInvited(deps: Deps, guest: Guest): Promise<boolean> {
  const { db, tenantId, invitationToken, email, now } = guest
  const id = idIn(deps, invitationToken)
  const invitation = id === null ? undefined : await findPreview(db, { tenantId, id })
  return invitation?.email === email && statusOf(invitation, now) === 'pending'
}
