import { Type } from 'typebox'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sendEvents } from '#platform/http/request.ts'
import { Hub } from './hub.ts'

const tags: Tag[] = ['Notifications']

/** What people are told, as it happens. */
export const streamRoutes: Routes = (app, deps) => {
  const hub = new Hub(deps)
  // Before the server waits for open answers: these would never end.
  app.addHook('preClose', () => hub.close())
  app.route({
    method: 'GET',
    url: '/v1/notifications/stream',
    config: { access: 'user', lasting: true },
    schema: {
      tags,
      summary: 'Stream my notifications as server-sent events',
      description:
        'Server-sent events. `unread` tells how many are unread: at the beginning and whenever that changes. `notification` is a new one, as in the list, and its id the id of the event. Who names the last one they had in `Last-Event-ID` is first told what they missed, in order; a notification may come twice. `reset`: it was too much, read the list again. Connect first, then read the list. The stream ends with the credential it was opened with.',
      headers: Type.Object({
        'last-event-id': Type.Optional(Type.String({ maxLength: 100 })),
      }),
      querystring: Type.Object({
        lastEventId: Type.Optional(
          Type.String({ maxLength: 100, description: 'As `Last-Event-ID`, which counts more' }),
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
