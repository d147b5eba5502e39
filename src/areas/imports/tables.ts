import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { PREVIEW_COLUMNS, previewOf } from './preview.ts'
import type { Decisions } from './schema.ts'
import type { ImportKey } from './staging/writer.ts'

export type TableOptions = Decisions

type Cell = string | number | boolean | null

/** A report on an import as a table: all columns, those that fit on a terminal, and the rows in batches. */
type ImportTable = {
  readonly columns: readonly string[]
  readonly shown: readonly string[]
  readonly batches: AsyncIterable<readonly Readonly<Record<string, Cell>>[]>
}

type MakeTable = (db: Db, key: ImportKey, options: TableOptions, now: Instant) => ImportTable

/** The reports on an import that the command line prints, by name. */
export const importTables = {
  preview: (db, key, options, now) => ({
    columns: PREVIEW_COLUMNS,
    shown: [
      ...(['formerId', 'email', 'name', 'invoiceAt', 'invoices', 'currency', 'oldCents'] as const),
      ...(['newTotalCents', 'whyNot', 'notices'] as const),
    ],
    batches: previewOf(db, key, options, now),
  }),
} as const satisfies Readonly<Record<string, MakeTable>>

/** Whether the command line has a report of this name. */
export function isImportTable(name: string): name is keyof typeof importTables {
  return Object.hasOwn(importTables, name)
}
