import { type Static, Type } from 'typebox'
import { LOCALES } from '#lib/languages.ts'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { AttachmentLimits } from '../attachments/schema.ts'
import { Priority } from '../tickets/schema.ts'

const Names = Type.Object(
  Object.fromEntries(LOCALES.map((locale) => [locale, Type.Optional(Line(100))])),
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'By language; a reader without a name in theirs reads that of the shop',
  },
)
const Position = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })
const Visibility = OneOf(
  ['customers', 'staff'],
  '`staff`: only staff move tickets there; customers cannot choose it',
)
const GroupIds = Type.Array(Id, {
  ...{ maxItems: 50, uniqueItems: true },
  description: 'Groups of staff that see its tickets; empty: all staff with `tickets:read`',
})

const optional = {
  position: Type.Optional(Position),
  visibility: Type.Optional(Visibility),
  groupIds: Type.Optional(GroupIds),
  defaultPriority: Type.Optional(Priority),
}

export const NewDepartment = Body({ names: Names, ...optional })
export type NewDepartment = Static<typeof NewDepartment>

export const DepartmentChange = Body({ names: Type.Optional(Names), ...optional })
export type DepartmentChange = Static<typeof DepartmentChange>

export const Department = Resource('Department', {
  id: Id,
  name: Type.String({ description: 'In the language of the caller' }),
  names: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),
  position: Type.Integer(),
  visibility: Visibility,
  groupIds: GroupIds,
  defaultPriority: Priority,
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
export type Department = Static<typeof Department>

/** A department as customers see it. */
export const ShownDepartment = Resource('ShownDepartment', { id: Id, name: Type.String() })

export const SupportOffer = Resource('SupportOffer', {
  enabled: Type.Boolean({ description: 'Whether customers can open tickets' }),
  departments: Type.Array(ShownDepartment, {
    description: 'Those to choose from; empty while the shop has made none, and none is needed',
  }),
  attachments: AttachmentLimits,
})
