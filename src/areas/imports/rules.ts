import { conflict } from '#lib/problem.ts'
import type { PriceMode } from '#lib/tax.ts'
import { type Instant, instant, millis } from '#lib/time.ts'
import type { ImportRow } from './queries.ts'
import type { ImportSummary, ImportView } from './schema.ts'

/** Why a dump was rejected, by code. */
export const FAULTS: Readonly<Record<string, string>> = {
  not_a_dump: 'This is not the dump of a database.',
  unknown_system: 'This is a database dump, but not of a system that can be imported.',
  missing_tables: 'Tables are missing. The export was incomplete; create a complete dump.',
  other_installation: 'This dump is from a different installation than the earlier import.',
  archive_tar: 'This is a tar archive. Import the .sql file in it.',
  archive_of_parts:
    'The archive has one file for each table (mydumper). Create a single file with mysqldump.',
  unsupported_version: 'This is a version of the system that is too old to be imported.',
  several_systems: 'There are several installations in this dump; import one at a time.',
  several_databases: 'There are several databases in this dump; import one at a time.',
  truncated: 'The dump is incomplete: it ends before its last statement.',
  row_too_long: 'One row of the dump is too long to be imported.',
  statement_too_long: 'One statement of the dump is too long to be imported.',
  too_many_tables: 'The dump has too many tables.',
  unsupported_sql_mode:
    'The dump was created with NO_BACKSLASH_ESCAPES or ANSI_QUOTES. Create it without these modes.',
  unsupported_charset: 'The charset of the dump is not supported. Create the dump in utf8mb4.',
  unpacked_too_large: 'The decompressed file is too large.',
  compression_bomb: 'The compression ratio of the file is too high for a dump.',
  archive_truncated: 'The archive is incomplete.',
  archive_broken: 'The archive is damaged.',
  archive_encrypted: 'The archive is encrypted.',
  archive_path_outside: 'The archive contains a path outside the archive.',
  archive_not_supported: 'The compression method of the archive is not supported.',
  no_sql_file_in_archive: 'There is no .sql file in the archive.',
  file_missing: 'The uploaded file no longer exists.',
  given_up: 'The import failed after several attempts. The log has the reason.',
}

/** Why a dump was rejected, in one sentence. */
function faultMessage(code: string, detail: string | null = null): string {
  const message = plainMessage(code)
  return detail ? `${message} ${detail}` : message
}

function plainMessage(code: string): string {
  if (code.startsWith('unsupported_compression_')) {
    return `Files compressed with ${code.slice(24)} are not supported. Use gzip or zip.`
  }
  return FAULTS[code] ?? 'The dump could not be read.'
}

/** Why an import was not undone, in one sentence or two. */
export function undoFailureMessage(
  code: NonNullable<ImportRow['undoFailure']>['code'],
  detail: string | null,
): string {
  if (code === 'import_in_use') {
    return `This import cannot be undone, because its records are in use. ${detail ?? ''}`.trim()
  }
  return 'The import could not be undone after several attempts. Nothing was removed. The log has the reason.'
}

/** An import as it is listed, with its current progress. */
export function summaryOf(row: ImportRow, now: Instant): ImportSummary {
  const { id, status, dryRun, userId, createdAt, startedAt, finishedAt, fault, undoFailure } = row
  return {
    ...{ id, status, dryRun, startedBy: userId, createdAt, startedAt, finishedAt },
    file: { name: row.fileName, bytes: row.sizeBytes, sha256: row.sha256.toString('hex') },
    fault: fault && {
      ...{ code: fault.code, byte: fault.byte, line: fault.line },
      message: faultMessage(fault.code, fault.detail),
    },
    undoFailure: undoFailure && {
      ...{ code: undoFailure.code, at: instant(undoFailure.at) },
      message: undoFailureMessage(undoFailure.code, undoFailure.detail),
    },
    progress: progressOf(row, now),
  }
}

/** An import with its report, if there is one yet. */
export function importView(row: ImportRow, now: Instant): ImportView {
  return { ...summaryOf(row, now), report: row.report as ImportView['report'] }
}

function progressOf(row: ImportRow, now: Instant): ImportSummary['progress'] {
  const { phase, bytesRead: bytes, bytesTotal, rowsRead: rows, rowsTotal, phaseAt } = row
  const seconds = phaseAt && !row.finishedAt ? (millis(now) - millis(phaseAt)) / 1000 : 0
  // Only reading progresses by bytes: the duration of the database phases is not known.
  const reads = phase === 'survey' || phase === 'staging'
  const rate = reads && seconds > 0 && bytes > 0 ? Math.round(bytes / seconds) : null
  const left = rate && bytesTotal !== null ? Math.ceil((bytesTotal - bytes) / rate) : null
  return {
    ...{ phase, bytes, bytesTotal, rows, rowsTotal },
    ...{ bytesPerSecond: rate, secondsLeft: left === null ? null : Math.max(0, left) },
  }
}

/** Whether the prices of an import include tax. If no tax was charged, customers paid them unchanged. */
export function priceModeOf({ report }: ImportRow): PriceMode {
  const source = (report as ImportView['report'])?.source
  if (!source || source.taxed === false) return 'inclusive'
  return source.taxMode
}

/** Whether prices of the imported catalogue include tax. */
export function catalogModeOf(row: ImportRow): PriceMode {
  const source = (row.report as ImportView['report'])?.source
  return source?.catalogTaxMode ?? priceModeOf(row)
}

/** The system whose dump was imported. */
export function systemOf({ report }: ImportRow): string {
  return (report as NonNullable<ImportView['report']>).source.system
}

/** How many rows with recurring amounts a report has of tables that are not imported, such as add-ons and domains. */
export function countNotBilled({ report }: ImportRow): number {
  const { tables } = report as NonNullable<ImportView['report']>
  return tables
    .filter(({ sumsCents = {} }) =>
      Object.entries(sumsCents).some(([column, sum]) => /^recurring/.test(column) && sum !== '0'),
    )
    .reduce((count, { rows }) => count + rows, 0)
}

/** How an import with this report ends. */
export function statusOf({
  differences,
  resources,
}: Pick<NonNullable<ImportView['report']>, 'differences'> & {
  readonly resources: Readonly<Record<string, { readonly failed: number }>>
}): 'completed' | 'completed_with_failures' | 'not_reconciled' {
  if (differences.length > 0) return 'not_reconciled'
  const failed = Object.values(resources).some((it) => it.failed > 0)
  return failed ? 'completed_with_failures' : 'completed'
}

/** Whether an import has written records that still exist and are not about to be removed. */
export function hasWritten({ dryRun, report, status }: ImportRow): boolean {
  return !dryRun && report !== null && status !== 'undoing' && status !== 'undone'
}

/** The 409 for an import that has written nothing. */
export function nothingImported() {
  return conflict('This import has not written anything.', 'nothing_imported')
}

/** The stored name of an uploaded dump, as text that can be stored and shown. */
export function fileNameOf(name: string): string {
  const shown = name
    .replace(/\p{Cc}/gu, '')
    .slice(0, 255)
    .toWellFormed()
  return shown || 'dump.sql'
}
