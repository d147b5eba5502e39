import { onEvent } from '#platform/events.ts'
import { settingsOf } from '#tenants'
import { impersonationSettings, userImpersonated } from '#users'
import { notify } from './actions.ts'

/** Notifies a person that an administrator acts as them, unless the shop has switched that off. */
export const tellOfImpersonation = onEvent(
  userImpersonated,
  'notifications.tell-of-impersonation',
  async ({ db, now, transact }, { tenantId, userId }) => {
    const { tellPerson } = await settingsOf(db, tenantId, impersonationSettings)
    if (!tellPerson) return
    await transact((tx) => notify(tx, { tenantId, userId, kind: 'impersonated', data: {} }, now))
  },
)
