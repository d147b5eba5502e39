import { type Static, Type } from 'typebox'
import { Body, Id, OneOf, Resource, Timestamp } from '#lib/schema.ts'

const Bytes = Type.Number({ minimum: 0 })

/** The current status of a server, or that it is unknown. */
export const LiveStatus = Type.Union(
  [
    Type.Object({ available: Type.Literal(false) }),
    Type.Object({
      available: Type.Literal(true),
      state: OneOf(['offline', 'starting', 'running', 'stopping', 'missing']),
      suspended: Type.Boolean(),
      memoryBytes: Bytes,
      diskBytes: Bytes,
      cpuPercent: Type.Number({ minimum: 0, description: 'Of one core; two full ones are 200' }),
      networkInBytes: Bytes,
      networkOutBytes: Bytes,
      uptimeMs: Type.Number({ minimum: 0 }),
      observedAt: Timestamp,
    }),
  ],
  { title: 'LiveStatus' },
)
/** The live status of the server of one of several services. */
export const ServiceLiveStatus = Resource('ServiceLiveStatus', { id: Id, live: LiveStatus })

/** At most this many at once: the panel gets one request for each server. */
export const MOST = 25
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** The services whose status is requested. */
export const StatusQuery = Type.Object({
  ids: Type.Optional(
    Type.String({
      pattern: `^${UUID}(,${UUID}){0,${MOST - 1}}$`,
      description: `Ids of services, separated by commas, ${MOST} at most; without it the newest ${MOST}`,
    }),
  ),
})

export type LiveStatus = Static<typeof LiveStatus>

export const PowerAction = Body({ action: OneOf(['start', 'stop', 'restart', 'kill']) })
export type PowerAction = Static<typeof PowerAction>
