import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

const Import = Type.Object({ tenantId: Id, id: Id })

/** Reads a dump and imports it, or continues where the last process stopped. */
export const importDump = work('imports.import-dump', Import)

/** Undoes an import: removes what it has created. */
export const finishUndoing = work('imports.undo-import', Import)
