import { Deleted } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { beat, leave } from './actions.ts'
import { assertMayRead } from './rules.ts'
import { Heartbeat, OpenObject, Presence } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
// Each kind of object needs its own permission, which the handlers check. Heartbeats change nothing of the shop.
const config = { access: 'admin', anyStaff: true, audited: false } as const
const url = '/v1/admin/presence'

/** Which staff have an object of the administration open now. */
export const presenceRoutes: Routes = (app) => {
  app.route({
    method: 'PUT',
    url,
    config,
    schema: {
      tags,
      summary: 'Say that I have an object open, and see which other staff do',
      description:
        'Repeat it every 25 seconds while the page is visible: presence ends 60 seconds after the last request. Other staff with the same object open receive the event `presence` of `GET /v1/notifications/stream` when something changes. Needs the permission to read the object. Not in the audit log.',
      body: Heartbeat,
      response: { 200: Presence, ...problems(404) },
    },
    handler({ body, caller, now, transact }) {
      assertMayRead(caller, body.kind)
      return transact((tx) => beat(tx, caller, body, now))
    },
  })

  app.route({
    method: 'DELETE',
    url,
    config,
    schema: {
      tags,
      summary: 'Say that I no longer have an object open',
      description: 'The same response if the caller was not present.',
      querystring: OpenObject,
      response: { 200: Deleted },
    },
    async handler({ query, caller, now, transact }) {
      assertMayRead(caller, query.kind)
      await transact((tx) => leave(tx, caller, query, now))
      return { id: query.id, deleted: true }
    },
  })
}
