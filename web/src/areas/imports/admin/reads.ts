import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'
import type { Tone } from '../../../ui/index.ts'

export type Import = components['schemas']['Import']
type ImportStatus = Import['status']

export const importRead = (id: string) =>
  read(['imports', id], (signal) =>
    client.GET('/v1/admin/imports/{id}', { params: { path: { id } }, signal }),
  )

export const decisionsRead = (id: string) =>
  read(['imports', id, 'decisions'], (signal) =>
    client.GET('/v1/admin/imports/{id}/decisions', { params: { path: { id } }, signal }),
  )

/** The set-up that is missing before renewals start, and the first service of the preview. */
export const setUpRead = (id: string) =>
  read(['imports', id, 'preview', 'set-up'], (signal) =>
    client.GET('/v1/admin/imports/{id}/preview', {
      params: { path: { id }, query: { limit: 1 } },
      signal,
    }),
  )

/** The comparisons with the preview; none before renewals start. */
export const reconciliationsRead = (id: string) =>
  read(['imports', id, 'reconciliations'], (signal) =>
    client.GET('/v1/admin/imports/{id}/reconciliations', { params: { path: { id } }, signal }),
  )

/** Whether an import has written records that still exist. */
export function hasWritten({ status, dryRun, report }: Import): boolean {
  return report !== null && !dryRun && status !== 'undone' && status !== 'undoing'
}

export const IMPORT_TONES: Readonly<Record<ImportStatus, Tone>> = {
  ...{ uploaded: 'waiting', analysing: 'waiting', importing: 'waiting', completed: 'active' },
  ...{ completed_with_failures: 'attention', not_reconciled: 'attention' },
  ...{ failed: 'failed', rejected: 'failed', canceled: 'ended' },
  ...{ undoing: 'waiting', undone: 'ended' },
}

const UNDER_WAY = new Set<ImportStatus>(['uploaded', 'analysing', 'importing', 'undoing'])

export function isUnderWay(status: ImportStatus): boolean {
  return UNDER_WAY.has(status)
}
