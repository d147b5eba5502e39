import { type Db, read, type Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import type { RowNote } from '../staging/reader.ts'
import type { ImportKey } from '../staging/writer.ts'

/** Stores notes about rows that could not be read. */
export async function insertNotes(
  tx: Tx,
  { tenantId, id }: ImportKey,
  notes: readonly RowNote[],
): Promise<void> {
  await insertRows(
    tx,
    'imports.notes',
    notes.map(({ kind, code, table, sourceId, detail }) => ({
      ...{ tenantId, importId: id, kind, code, sourceTable: table, sourceId },
      detail: detail?.slice(0, 500) ?? null,
    })),
  )
}

type Listed = { table: string; code: string; count: number; ids: string[] }

const LISTED = `select source_table as "table", code, count(*)::integer as count,
    coalesce(((array_agg(source_id order by number) filter (where source_id is not null))[1:1000])::text[],
      '{}') as ids
  from imports.notes where tenant_id = $1 and import_id = $2 and kind = $3
  group by source_table, code order by source_table, code`

/** Rows that failed when they were read, by their table. */
export async function countFailed(db: Db, { tenantId, id }: ImportKey) {
  const rows = await read<Listed>(db, LISTED, [tenantId, id, 'failed'])
  const reasons = rows.map(({ table, code, count, ids }) => ({
    ...{ table, code, outcome: 'failed', count, rows: ids.map((it) => ({ id: it })) },
  }))
  return Map.groupBy(reasons, ({ table }) => table)
}

/** Warnings for an accountant, by kind. */
export async function listWarnings(db: Db, { tenantId, id }: ImportKey) {
  const rows = await read<Listed>(db, LISTED, [tenantId, id, 'warning'])
  return rows.map(({ table, code, count, ids }) => ({ table, code, count, rows: ids }))
}
