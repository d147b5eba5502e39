import { Type } from 'typebox'
import { OneOf } from '#lib/schema.ts'

/** The answer while a document is being made. */
export const BEING_MADE = Type.Object(
  { state: OneOf(['being_made']) },
  {
    title: 'DocumentBeingMade',
    headers: { 'Retry-After': { type: 'integer' } },
    description: 'It is being made. Ask again after `Retry-After` seconds.',
  },
)

/** The answer that is a document, of one of some media types. */
export function binary(types: readonly string[]) {
  const schema = { type: 'string', format: 'binary' }
  const content = Object.fromEntries(types.map((type) => [type, { schema }]))
  return { description: 'The document', content }
}
