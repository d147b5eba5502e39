import type { Db } from '#platform/database/index.ts'
import type { Files } from '#platform/files/index.ts'
import { listMadeFiles, type MadeFile } from '../documents/queries.ts'

const BATCH = 500
/** How many files are checked at once: in an object storage each check is a call. */
const AT_ONCE = 16

/** Documents that were made but whose files are missing in the storage. */
export async function* missingFiles(
  db: Db,
  tenantId: string,
  files: Pick<Files, 'exists'>,
): AsyncIterable<string> {
  for (let after: MadeFile | null = null; ; ) {
    const batch: MadeFile[] = await listMadeFiles(db, { tenantId, after }, BATCH)
    for (let from = 0; from < batch.length; from += AT_ONCE) {
      const some = batch.slice(from, from + AT_ONCE)
      const found = await Promise.all(some.map(({ fileKey }) => files.exists(fileKey)))
      for (const [index, { fileKey, number, format }] of some.entries()) {
        if (found[index]) continue
        yield `The ${format} file of document ${number ?? 'without a number'} is missing: ${fileKey}`
      }
    }
    if (batch.length < BATCH) return
    after = batch.at(-1) ?? null
  }
}
