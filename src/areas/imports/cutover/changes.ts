import { invalidCursor, notFound } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import { findImport } from '../queries.ts'
import type { ImportChanges } from '../schema.ts'
import type { ImportKey } from '../staging/writer.ts'
import {
  type Change,
  COMPARED,
  countChanges,
  findFormer,
  listChanges,
  type Place,
} from './snapshots.ts'

type Wanted = { readonly cursor?: string | undefined; readonly limit: number }

/** A page of the changes between the dump of an import and the previous dump. Throws 404. */
export async function changesPage(
  db: Db,
  key: ImportKey,
  { cursor, limit }: Wanted,
): Promise<ImportChanges> {
  const after = cursor === undefined ? null : placeIn(cursor)
  if (!(await findImport(db, key))) throw notFound('Import')
  const formerId = await findFormer(db, key)
  if (formerId === undefined) {
    return { comparedWith: null, counts: [], data: [], nextCursor: null }
  }
  const between = { ...key, formerId }
  const found = await listChanges(db, between, { after, limit: limit + 1 })
  const counts = after === null ? await countChanges(db, between) : []
  const data = found.slice(0, limit)
  const last = found.length > limit ? data.at(-1) : undefined
  return { comparedWith: formerId, counts, data, nextCursor: last ? cursorOf(last) : null }
}

/** The columns of the changes as a table. */
export const CHANGE_COLUMNS = [
  ...(['resource', 'id', 'change', 'formerAmount', 'amount', 'formerFacts', 'facts'] as const),
] as const

const AT_ONCE = 1000

/** All changes as rows of a table, a page at a time. */
export async function* changesOf(db: Db, key: ImportKey): AsyncGenerator<Change[]> {
  for (let cursor: string | undefined; ; ) {
    // The table has no counts, so even the first page is read with a cursor: only a page without one counts.
    const page: ImportChanges = await changesPage(db, key, {
      cursor: cursor ?? FIRST,
      limit: AT_ONCE,
    })
    yield page.data
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}

function cursorOf({ resource, id }: Place): string {
  return Buffer.from(`${resource}:${id}`).toString('base64url')
}

const FIRST = cursorOf({ resource: 'invoices', id: '-1' })

/** The place in a cursor. Throws 400. */
function placeIn(cursor: string): Place {
  const [name, id = ''] = Buffer.from(cursor, 'base64url').toString().split(':')
  const resource = COMPARED.find((it) => it === name)
  if (!resource || !/^-?\d{1,18}$/.test(id)) throw invalidCursor()
  return { resource, id }
}
