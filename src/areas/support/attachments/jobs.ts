import { DAY_MS, later, MINUTE_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { schedule } from '#platform/jobs.ts'
import { listTenantIds, settingsOf } from '#tenants'
import { supportSettings } from '../settings.ts'
import { deleteAttachment, eraseOld, eraseUnused, listErased } from './queries.ts'
import { fileKeyOf, keptSince, UNUSED_MS } from './rules.ts'

const BATCH = 100

/** Deletes uploads that no message names, and files that were erased: first the file, then its row. */
export const deleteErasedFiles = schedule(
  'support.delete-erased-files',
  5 * MINUTE_MS,
  async ({ db, files, now }) => {
    await transact(db, (tx) => eraseUnused(tx, later(now, -UNUSED_MS), now))
    let count = BATCH
    while (count === BATCH) {
      const erased = await listErased(db, BATCH)
      for (const key of erased) {
        await files.delete(fileKeyOf(key))
        await transact(db, (tx) => deleteAttachment(tx, key))
      }
      count = erased.length
    }
  },
)

/** Erases the files of tickets that were closed longer ago than the shop keeps them. */
export const eraseOldFiles = schedule(
  'support.erase-old-files',
  DAY_MS,
  async ({ db, now, transact: inTransaction }) => {
    for (const tenantId of await listTenantIds(db)) {
      const { keepAttachmentMonths } = await settingsOf(db, tenantId, supportSettings)
      const before = keptSince(now, keepAttachmentMonths)
      let count = BATCH
      while (count === BATCH) {
        count = await inTransaction((tx) => eraseOld(tx, { tenantId, before, limit: BATCH }, now))
      }
    }
  },
)
