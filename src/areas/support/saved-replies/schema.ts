import { type Static, Type } from 'typebox'
import {
  Body,
  Id,
  Line,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Text,
  Timestamp,
  textsByLanguage,
} from '#lib/schema.ts'
import { Tags } from '../tags/schema.ts'
import { Priority } from '../tickets/schema.ts'
import { PLACEHOLDERS } from './rules.ts'

const Name = Line(100)
const Texts = {
  ...textsByLanguage('SavedReplyTexts', { ...Text(20_000), minLength: 1 }),
  minProperties: 1,
  description: `By language; a ticket uses that of its customer, else of the shop. Placeholders: ${PLACEHOLDERS.map((it) => `{{${it}}}`).join(', ')}`,
}
const DepartmentIds = Type.Array(Id, {
  ...{ maxItems: 50, uniqueItems: true },
  description: 'Only for tickets of these departments; empty: for all',
})
const Next = OneOf(['answered', 'hold', 'close'], 'The status after the answer')
const HoldHours = Type.Integer({
  ...{ minimum: 1, maximum: 8760 },
  description: 'With `next: hold`: after how many hours the hold ends; null: without an end',
})

const optional = {
  departmentIds: Type.Optional(DepartmentIds),
  actions: Type.Optional(
    Body({
      next: Type.Optional(Nullable(Next)),
      holdHours: Type.Optional(Nullable(HoldHours)),
      priority: Type.Optional(Nullable(Priority)),
      assigneeId: Type.Optional(Nullable({ ...Id, description: 'A member of staff' })),
      assignToMe: Type.Optional(Type.Boolean({ description: 'To the author of the answer' })),
      departmentId: Type.Optional(Nullable({ ...Id, description: 'The department to move to' })),
      tags: Type.Optional({ ...Tags, description: 'Tags to add' }),
    }),
  ),
}

export const NewSavedReply = Body({
  name: Name,
  texts: Texts,
  shared: Type.Optional(
    Type.Boolean({ description: 'Whether all staff can use it (needs `support:write`)' }),
  ),
  ...optional,
})
export type NewSavedReply = Static<typeof NewSavedReply>

export const SavedReplyChange = Body({
  name: Type.Optional(Name),
  texts: Type.Optional(Texts),
  ...optional,
})
export type SavedReplyChange = Static<typeof SavedReplyChange>

export const SavedReply = Resource('SavedReply', {
  id: Id,
  name: Type.String(),
  shared: Type.Boolean({ description: 'False: only the caller uses it' }),
  departmentIds: DepartmentIds,
  texts: Texts,
  actions: Resource('SavedReplyActions', {
    next: Nullable(Next),
    holdHours: Nullable(HoldHours),
    priority: Nullable(Priority),
    assigneeId: Nullable(Id),
    assignToMe: Type.Boolean(),
    departmentId: Nullable(Id),
    tags: Type.Array(Type.String()),
  }),
  revision: Type.Integer({ description: 'Raised by each change' }),
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
export type SavedReply = Static<typeof SavedReply>

const Search = Type.String({ minLength: 1, maxLength: 100, description: 'A part of the name' })

export const SavedReplyQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(Search),
  archived: Type.Optional(Type.Boolean({ description: 'Archived ones; by default all others' })),
})
export type SavedReplyQuery = Static<typeof SavedReplyQuery>

export const UsableReplyQuery = Type.Object({ ...PageQuery.properties, q: Type.Optional(Search) })

const Named = Type.Object({ id: Id, name: Type.String() })

export const UsableReply = Resource('UsableReply', {
  id: Id,
  name: Type.String(),
  shared: Type.Boolean(),
  revision: Type.Integer(),
  text: Type.String({ description: 'With the values of this ticket in place of placeholders' }),
  missing: Type.Array(OneOf(PLACEHOLDERS), {
    description: 'Placeholders without a value on this ticket: the text has nothing there',
  }),
  actions: Type.Object({
    next: Nullable(Next),
    holdHours: Nullable(HoldHours),
    priority: Nullable(Priority),
    assignee: Nullable(Named),
    department: Nullable(Named),
    tags: Type.Array(Type.String()),
  }),
})
export type UsableReply = Static<typeof UsableReply>
