import { onEvents } from '#platform/events.ts'
import { CATALOGUE, typeOf } from '../catalogue/catalogue.ts'
import { hasEndpoints, listHearing } from '../endpoints/queries.ts'
import { writeMessage } from './actions.ts'
import { bodyOf, writtenAt } from './rules.ts'

/** Makes a message of an event, for endpoints that subscribe to it; its content is as of now. */
export const tellEndpoints = onEvents(
  CATALOGUE.map(({ event }) => event),
  'webhooks.tell-endpoints',
  async ({ db, clock, now, transact }, { tenantId, id, event, facts }) => {
    const named = typeOf(event, facts)
    if (!named || (await listHearing(db, tenantId, named.type)).length === 0) return
    const told = await named.tell(db, facts as never, now)
    if (!told) return
    const { data, objectId, userId } = told
    const body = bodyOf(named.type, data, writtenAt(id, clock.offsetMs, now))
    const message = { tenantId, id, type: named.type, objectId, userId, body }
    await transact((tx) => writeMessage(tx, message, now))
  },
  { wants: hasEndpoints },
)
