import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, type Job, job } from '#platform/jobs.ts'
import { tellSome } from './actions.ts'

const Key = Type.Object({ tenantId: Id, id: Id })
const BATCHES = 50

/** Tells an announcement to everybody it is for, in small transactions; it goes on where it was. */
export const tellEverybody: Job<typeof Key> = job(
  'notifications.tell-everybody',
  Key,
  async ({ areas, now, signal, transact }: JobContext, key) => {
    for (let batch = 1; ; batch += 1) {
      signal.throwIfAborted()
      const goesOn = await transact(async (tx) => {
        const left = await tellSome(tx, { areas, key }, now)
        if (left && batch === BATCHES) await enqueue(tx, tellEverybody, key)
        return left && batch < BATCHES
      })
      if (!goesOn) return
    }
  },
)
