import { type Static, Type } from 'typebox'
import { Body, OneOf, Timestamp } from '#lib/schema.ts'

const Bytes = Type.Number({ minimum: 0 })

/** What a server does right now, or that nobody can say. */
export const LiveStatus = Type.Union([
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
])
export type LiveStatus = Static<typeof LiveStatus>

export const PowerAction = Body({ action: OneOf(['start', 'stop', 'restart', 'kill']) })
