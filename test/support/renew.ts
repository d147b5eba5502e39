import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import { transact } from '#platform/database/index.ts'
import { startService } from '#platform/start.ts'
import { renewBatch } from '../../src/areas/services/renewals/batches.ts'
import { NOW } from './due-services.ts'

/** A process that renews what is due, a few services at a time, and says how far it is. */
const BATCH = 20
const { deps } = await startService(readConfig(process.env), areas, { migrating: false })
const db = deps.database.everywhere
console.log('ready')
let done = 0
for (let taken = 1; taken > 0; done += taken) {
  taken = await transact(db, (tx) => renewBatch(tx, NOW, BATCH))
  if (taken > 0) console.log(`renewed ${done + taken}`)
}
console.log(`ended after ${done}`)
process.exit(0)
