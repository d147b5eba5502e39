import { withoutLinks } from '#lib/links.ts'
import { mailLink, notify } from '#notifications'
import { onEvent } from '#platform/events.ts'
import { originOf } from '#tenants'
import { findUserByEmail } from '#users'
import { invited } from './events.ts'
import { findPreview } from './queries.ts'
import { firstNameOf, statusOf } from './rules.ts'
import { tokenOf } from './tokens.ts'

/** Sends the link by mail, and notifies the account with that address, if there is one. */
export const mailInvitation = onEvent(
  invited,
  'services.mail-invitation',
  async ({ db, now, config, secrets, transact }, { tenantId, id, send }) => {
    const invitation = await findPreview(db, { tenantId, id })
    // The invitation was answered or revoked while the job waited: nothing is sent.
    if (!invitation || statusOf(invitation, now) !== 'pending') return
    const { email, serviceName, inviterName } = invitation
    const inviter = withoutLinks(firstNameOf(inviterName))
    const service = withoutLinks(serviceName)
    const origin = await originOf(db, config, tenantId)
    const path = `/i/${tokenOf({ secrets }, id)}`
    const user = await findUserByEmail(db, { tenantId, email })
    // Any user can register an address; only an account that has confirmed it counts.
    const known = user?.emailVerifiedAt ? user : null
    await transact(async (tx) => {
      await mailLink(
        tx,
        {
          ...{ tenantId, to: email, name: known?.name ?? null, locale: known?.locale ?? 'en' },
          reference: `invitation ${id} ${send}`,
          usefulUntil: invitation.expiresAt,
        },
        {
          kind: 'service_invitation',
          facts: { inviter, service, url: `${origin}${path}` },
        },
        now,
      )
      if (known && send === 1) {
        const data = { inviter, service }
        await notify(tx, { tenantId, userId: known.id, kind: 'invitation', data, link: path }, now)
      }
    })
  },
)
