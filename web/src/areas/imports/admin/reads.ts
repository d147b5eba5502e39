import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'
import type { Tone } from '../../../ui/index.ts'

export type Import = components['schemas']['Import']
type ImportStatus = Import['status']

export const importRead = (id: string) =>
  read(['imports', id], (signal) =>
    client.GET('/v1/admin/imports/{id}', { params: { path: { id } }, signal }),
  )

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
