import { areas } from '#app/areas.ts'
import { openServer } from '#platform/database/open.ts'
import { queueFor } from '#platform/queue.ts'
import { type Action, perform } from './history-actions.ts'

/**
 * A process that does what histories want done, and may be killed in the middle of it. It writes jobs
 * and works on none.
 */
const jobs = areas.flatMap(({ jobs = [] }) => jobs)
const { outbox, open } = queueFor(jobs, () => {})
const database = openServer(process.argv[2] ?? '', outbox)
await open(database, () => {})

process.on('message', async ({ id, action }: { id: number; action: Action }) => {
  try {
    process.send?.({ id, outcome: await perform(database, action) })
  } catch (error) {
    process.send?.({ id, error: String(error instanceof Error ? error.stack : error) })
  }
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
