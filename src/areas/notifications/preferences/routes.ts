import type { Caller } from '#lib/caller.ts'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { localesOf } from '#users'
import { changePreferences } from './actions.ts'
import { listOwnWishes } from './queries.ts'
import { preferencesOf } from './rules.ts'
import { Preferences, PreferencesChange } from './schema.ts'

const tags: Tag[] = ['Notifications']
const url = '/v1/notifications/preferences'

/** About what and on which channels people are notified. */
export const preferenceRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List my notification preferences by kind and channel',
      description:
        'Every kind of notification with a switch for the list, for e-mail and for Discord. Notifications that the law or the security of an account requires cannot be switched off, and amounts are never sent to Discord: those switches are `locked`.',
      response: { 200: Preferences },
    },
    handler: ({ db, caller }) => shownTo(db, caller),
  })

  app.route({
    method: 'PATCH',
    url,
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Change my notification preferences',
      description: 'Omitted switches stay. A locked one is refused with 422 `preference_locked`.',
      body: PreferencesChange,
      response: { 200: Preferences },
    },
    async handler({ body, caller, transact }) {
      return transact(async (tx) => {
        await changePreferences(tx, caller, body.data)
        return shownTo(tx, caller)
      })
    },
  })
}

async function shownTo(db: Db, { tenantId, userId, permissions }: Caller) {
  const wishes = await listOwnWishes(db, { tenantId, userId })
  const locale = (await localesOf(db, tenantId, [userId])).get(userId) ?? 'en'
  return { data: preferencesOf(wishes, { locale, isStaff: permissions.size > 0 }) }
}
