import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { CHANGE_COLUMNS, changesOf } from './cutover/changes.ts'
import { RECONCILED_COLUMNS, reconciledOf } from './cutover/reconcile.ts'
import { PREVIEW_COLUMNS, previewOf } from './preview.ts'
import type { PreviewDecisions } from './schema.ts'
import type { ImportKey } from './staging/writer.ts'

export type TableOptions = PreviewDecisions & { readonly days?: number }

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
  preview: (db, key, { days: _, ...options }, now) => ({
    columns: PREVIEW_COLUMNS,
    shown: [
      ...(['formerId', 'email', 'name', 'invoiceAt', 'invoices', 'currency', 'oldCents'] as const),
      ...(['newTotalCents', 'whyNot', 'notices'] as const),
    ],
    batches: previewOf(db, key, options, now),
  }),
  changes: (db, key) => ({
    columns: CHANGE_COLUMNS,
    shown: CHANGE_COLUMNS,
    batches: changesOf(db, key),
  }),
  reconciliation: (db, key, { days = 30 }) => ({
    columns: RECONCILED_COLUMNS,
    shown: RECONCILED_COLUMNS.filter((it) => it !== 'userId' && it !== 'serviceIds'),
    batches: reconciledOf(db, { ...key, days }),
  }),
} as const satisfies Readonly<Record<string, MakeTable>>

/** Whether the command line has a report of this name. */
export function isImportTable(name: string): name is keyof typeof importTables {
  return Object.hasOwn(importTables, name)
}
