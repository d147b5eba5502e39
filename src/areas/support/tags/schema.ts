import { type Static, Type } from 'typebox'
import { PageQuery, Resource } from '#lib/schema.ts'
import { MOST_CHARACTERS, MOST_TAGS } from './rules.ts'

const Tag = Type.String({
  ...{ minLength: 1, maxLength: MOST_CHARACTERS, format: 'line', pattern: '^[^,]*$' },
  description: 'Stored in lower case, without spaces around it',
})

/** The tags of a ticket, as staff write them. */
export const Tags = Type.Array(Tag, { maxItems: MOST_TAGS, description: 'Only staff see tags' })

export const TagFilter = Type.String({ minLength: 1, maxLength: MOST_CHARACTERS })

export const TagQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional({ ...TagFilter, description: 'The beginning of the tag' }),
})
export type TagQuery = Static<typeof TagQuery>

export const TicketTag = Resource('TicketTag', {
  name: Type.String(),
  open: Type.Integer({ description: 'Open tickets with this tag that the caller sees' }),
})
