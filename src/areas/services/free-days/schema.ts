import { type Static, Type } from 'typebox'
import { Body, Line } from '#lib/schema.ts'

const Days = Type.Integer({ minimum: 1, maximum: 366 })
const Reason = { ...Line(200), description: 'A sentence that the customer sees' }

/** Free days, and why they are given. */
export const FreeDays = Body({ days: Days, reason: Reason })
export type FreeDays = Static<typeof FreeDays>

/** Likewise, for a request that may be about something else. */
export const OptionalFreeDays = {
  days: Type.Optional({ ...Days, description: 'For `free_days`' }),
  reason: Type.Optional({
    ...Reason,
    description: 'For `free_days`; the customer sees it',
  }),
}
