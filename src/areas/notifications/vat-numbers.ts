import { onEvent } from '#platform/events.ts'
import { findUser, vatNumberRefused } from '#users'
import { notify, notifyAdmins } from './actions.ts'

/** Notifies a person and the shop's staff that the EU's register does not know the person's VAT number. */
export const tellOfRefusedVatNumber = onEvent(
  vatNumberRefused,
  'notifications.tell-of-refused-vat-number',
  async ({ db, now, transact }, { tenantId, userId }) => {
    const user = await findUser(db, { tenantId, userId })
    // Changed meanwhile: the register's answer is about another number.
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
