import { Type } from 'typebox'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sendEvents } from '#platform/http/request.ts'
import { Hub } from './hub.ts'

const tags: Tag[] = ['Notifications']

/** A person's notifications as a live stream. */
export const streamRoutes: Routes = (app, deps) => {
  const hub = new Hub(deps)
  // Before the server waits for open responses: streams would never end.
  app.addHook('preClose', () => hub.close())
  app.route({
    method: 'GET',
    url: '/v1/notifications/stream',
    config: { access: 'user', lasting: true },
    schema: {
      tags,
      summary: 'Stream my notifications as server-sent events',
      description:
        'Server-sent events. `unread` is the number of unread notifications, at the beginning and at each change. `notification` is a new notification, as in the list; the id of the event is its id. With the last received id in `Last-Event-ID`, missed notifications are sent first, in order; a notification can arrive twice. `reset` means that too many were missed: read the list again. Connect first, then read the list. `presence` with `kind` and `id` is sent to staff whose heartbeat at this object is valid (`PUT /v1/admin/presence`) when others come, leave, or begin or stop writing. The stream ends with the credential with which it was opened.',
      headers: Type.Object({
        'last-event-id': Type.Optional(Type.String({ maxLength: 100 })),
      }),
      querystring: Type.Object({
        lastEventId: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'As `Last-Event-ID`, which takes precedence',
          }),
        ),
      }),
      response: {
        200: {
          description: 'Events, until either side ends it',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        ...problems(429, 503),
      },
    },
    async handler({ method, headers, query, caller }, reply) {
      if (method === 'HEAD') return sendEvents(reply, '')
      const cursor = headers['last-event-id'] || query.lastEventId || null
      return sendEvents(reply, await hub.open(caller, cursor))
    },
  })
}
