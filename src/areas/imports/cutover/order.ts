import { conflict } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import { countNotBegun } from '#services'
import { type ImportRow, listAll } from '../queries.ts'
import { hasWritten, systemOf } from '../rules.ts'
import { listBegun } from './queries.ts'

type Written = ImportRow & {
  /** How many of its services do not renew here yet. */
  readonly waiting: number
}

/** The imports that have written something, oldest first; none if all of their services renew. */
async function listWritten(db: Db, tenantId: string): Promise<Written[]> {
  const counts = new Map(
    (await countNotBegun(db, tenantId)).map(({ importId, count }) => [importId, count]),
  )
  if (counts.size === 0) return []
  return (await listAll(db, tenantId))
    .filter(hasWritten)
    .map((row) => ({ ...row, waiting: counts.get(row.id) ?? 0 }))
}

/**
 * Throws 409 while services of an older import of the same system do not renew here yet. A newer dump changes the
 * services of older ones and adds new ones: those that it found begin with the import that added them.
 */
export async function assertOlderBegun(db: Db, row: ImportRow): Promise<void> {
  const older = (await listWritten(db, row.tenantId)).find(
    (it) => it.waiting > 0 && it.id < row.id && systemOf(it) === systemOf(row),
  )
  if (!older) return
  const { id, fileName, waiting } = older
  throw conflict(
    `Begin the renewals of the import of ${fileName} (${id}) first: ${waiting} of its services do not renew here yet.`,
    'older_import_waits',
  )
}

/** Imports with services that nobody bills: renewals of their system have begun, but not theirs. */
export async function* faults(db: Db, tenantId: string): AsyncIterable<string> {
  const written = await listWritten(db, tenantId)
  if (written.length === 0) return
  const begun = new Set(await listBegun(db, tenantId))
  const systems = new Set(written.filter(({ id }) => begun.has(id)).map(systemOf))
  for (const row of written) {
    if (row.waiting === 0 || !systems.has(systemOf(row))) continue
    yield `Renewals of another import have begun, and ${row.waiting} services of the import of ${row.fileName} (${row.id}) do not renew.`
  }
}
