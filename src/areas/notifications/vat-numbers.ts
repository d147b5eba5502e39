import { onEvent } from '#platform/events.ts'
import { findUser, vatNumberRefused } from '#users'
import { notify, notifyAdmins } from './actions.ts'

/** Tells a person, and who runs the shop, that the EU's register does not know their VAT number. */
export const tellOfRefusedVatNumber = onEvent(
  vatNumberRefused,
  'notifications.tell-of-refused-vat-number',
  async ({ db, now, transact }, { tenantId, userId }) => {
    const user = await findUser(db, { tenantId, userId })
    // Changed meanwhile: what the register said is of another number.
    if (!user?.vatNumber || user.vatStatus !== 'invalid') return
    const { vatNumber, email } = user
    const notice = { tenantId, userId, kind: 'vat_number_invalid' as const, data: { vatNumber } }
    await transact(async (tx) => {
      await notify(tx, { ...notice, link: '/account' }, now)
      const attention = { topic: 'vat_number_refused' as const, facts: { email, vatNumber } }
      await notifyAdmins(tx, { tenantId, ...attention, link: `/admin/people/${userId}` }, now)
    })
  },
)
