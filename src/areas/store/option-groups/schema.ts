import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, Resource, Timestamp } from '#lib/schema.ts'
import { Option } from '../options/schema.ts'
import { Position } from '../schema.ts'

const Ids = Type.Array(Id, { maxItems: 500, uniqueItems: true })

export const NewGroup = Body({
  name: Line(100),
  position: Type.Optional(Position),
  productIds: Type.Optional(Ids),
})
export type NewGroup = Static<typeof NewGroup>

export const GroupChange = Body({
  name: Type.Optional(Line(100)),
  position: Type.Optional(Position),
  productIds: Type.Optional(Ids),
  optionIds: Type.Optional({
    ...Ids,
    description: 'All options of the group that are not archived, in the order to ask for them',
  }),
})
export type GroupChange = Static<typeof GroupChange>

const Brief = Resource('OptionSummary', {
  ...Type.Pick(Option, ['id', 'key', 'kind', 'name', 'archivedAt']).properties,
})

export const Group = Resource('OptionGroup', {
  id: Id,
  name: Type.String(),
  position: Type.Integer({ description: 'Which group of a product is asked for first' }),
  productIds: { ...Ids, description: 'The products that its options are offered with' },
  optionIds: Ids,
  options: Type.Array(Brief, { description: 'In their order, archived ones last' }),
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
export type Group = Static<typeof Group>
