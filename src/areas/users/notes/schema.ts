import { Type } from 'typebox'
import { Body, Id, Nullable, Resource, Timestamp } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { namesOf } from '../queries.ts'

/** The resource of a note that staff write for each other; `name` is its name in the API document. */
export function noteResource(name: string) {
  return Resource(name, {
    id: Id,
    text: Type.String(),
    authorId: Id,
    authorName: Nullable(Type.String({ description: 'Null if the author was deleted' })),
    createdAt: Timestamp,
  })
}

export const NewNote = Body({
  text: Type.String({ minLength: 1, maxLength: 4000, pattern: '\\S' }),
})

type Note = { id: string; text: string; authorId: string; createdAt: Instant }

/** Notes with the names of their authors. */
export async function noteViews(db: Db, tenantId: string, notes: readonly Note[]) {
  const ids = notes.map(({ authorId }) => authorId)
  const authors = await namesOf(db, tenantId, ids)
  return notes.map(({ id, text, authorId, createdAt }) => {
    return { id, text, authorId, authorName: authors.get(authorId)?.name ?? null, createdAt }
  })
}
