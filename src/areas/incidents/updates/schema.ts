import { type Static, Type } from 'typebox'
import { Body, Id, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { INCIDENT_STATES } from '../incidents/rules.ts'
import { IncidentStatus, UpdateTexts } from '../incidents/schema.ts'

const Notify = (description: string, value: boolean) =>
  Type.Optional(Type.Boolean({ default: value, description }))

export const Publication = Body({
  texts: UpdateTexts,
  state: Type.Optional(
    OneOf(
      ['investigating', 'identified', 'monitoring'],
      'Of an incident; investigating by default',
    ),
  ),
  notify: Notify('Whether the affected customers are notified', true),
  urgent: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Allows maintenance that begins in less than 24 hours',
    }),
  ),
})
export type Publication = Static<typeof Publication>

export const NewUpdate = Body({
  texts: UpdateTexts,
  state: Type.Optional(
    OneOf(
      [...INCIDENT_STATES, 'completed', 'canceled'],
      'Omitted, it stays. `completed` and `canceled` are for maintenance, the others for incidents',
    ),
  ),
  notify: Notify('Whether the affected customers are notified', false),
})
export type NewUpdate = Static<typeof NewUpdate>

export const IncidentUpdate = Resource('IncidentUpdate', {
  id: Id,
  state: IncidentStatus,
  texts: UpdateTexts,
  authorId: { ...Id, description: 'The member of staff who wrote it' },
  createdAt: Timestamp,
  notify: Type.Boolean({ description: 'Whether the affected customers are notified' }),
  notified: Type.Integer({ description: 'How many people it has reached so far' }),
  isNotifying: Type.Boolean({ description: 'Whether there are people left to be notified' }),
})
