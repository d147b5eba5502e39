import type { Area } from '#platform/area.ts'
import { faults } from './cutover/order.ts'
import { finishUndoingJob, importDumpJob, reconcileImports, resumeImports } from './jobs.ts'
import { objectsAmong } from './named.ts'
import { forgetHashes } from './queries.ts'
import { importRoutes } from './routes.ts'
import { importSettings } from './settings.ts'

export { importFile, type LocalFile } from './command.ts'
export { idsByFormerId } from './former.ts'
export { type ImportView, SYSTEMS } from './schema.ts'
export { importTables, isImportTable, type TableOptions } from './tables.ts'
export { inUse, undoImport } from './undoing/actions.ts'

export const imports: Area = {
  name: 'imports',
  objectsAmong,
  faults,
  routes: [importRoutes],
  jobs: [importDumpJob, finishUndoingJob, resumeImports, reconcileImports],
  settings: [importSettings],
  erase: forgetHashes,
  permissions: [
    { key: 'imports:read', description: 'See imports from other systems' },
    { key: 'imports:write', description: 'Import the dump of another system, and undo an import' },
  ],
}
