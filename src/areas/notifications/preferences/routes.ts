import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { changePreferences } from './actions.ts'
import { listOwnWishes } from './queries.ts'
import { preferencesOf } from './rules.ts'
import { Preferences, PreferencesChange } from './schema.ts'

const tags: Tag[] = ['Notifications']
const url = '/v1/notifications/preferences'

/** What people are told, and where. */
export const preferenceRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'What I am told, and where',
      description:
        'Every kind of notification with a switch for the list, for e-mail and for Discord. What the law or the safety of an account wants told cannot be switched off, and amounts are never told on Discord: those switches are `locked`.',
      response: { 200: Preferences },
    },
    handler: async ({ db, caller }) => ({ data: preferencesOf(await listOwnWishes(db, caller)) }),
  })

  app.route({
    method: 'PATCH',
    url,
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Change what I am told, and where',
      description: 'Switches that are not named stay. 422 `preference_locked` for a locked one.',
      body: PreferencesChange,
      response: { 200: Preferences },
    },
    async handler({ body, caller, transact }) {
      const wishes = await transact(async (tx) => {
        await changePreferences(tx, caller, body.data)
        return listOwnWishes(tx, caller)
      })
      return { data: preferencesOf(wishes) }
    },
  })
}
