import type { Db } from '#platform/database/index.ts'
import type { Files } from '#platform/files/index.ts'
import { listStored } from './attachments/queries.ts'
import { fileKeyOf } from './attachments/rules.ts'

const BATCH = 500
/** How many files are checked at once: in an object storage each check is a call. */
const AT_ONCE = 16

/** Tickets without a requester, and attached files that are not stored. */
export async function* faults(
  db: Db,
  tenantId: string,
  files: Pick<Files, 'exists'>,
): AsyncIterable<string> {
  yield* withoutCustomer(db, tenantId)
  yield* missingFiles(db, tenantId, files)
}

type Stored = Awaited<ReturnType<typeof listStored>>

async function* missingFiles(db: Db, tenantId: string, files: Pick<Files, 'exists'>) {
  for (let after: string | null = null; ; ) {
    const batch: Stored = await listStored(db, { tenantId, after }, BATCH)
    for (let from = 0; from < batch.length; from += AT_ONCE) {
      const some = batch.slice(from, from + AT_ONCE)
      const found = await Promise.all(some.map((it) => files.exists(fileKeyOf(it))))
      for (const [index, it] of some.entries()) {
        if (found[index]) continue
        yield `A file on ticket ${it.number} is missing: ${fileKeyOf(it)}`
      }
    }
    if (batch.length < BATCH) return
    after = batch.at(-1)?.id ?? null
  }
}

/** Every ticket must have the customer who asked. */
async function* withoutCustomer(db: Db, tenantId: string): AsyncIterable<string> {
  const lost = await db
    .selectFrom('support.tickets as ticket')
    .select('ticket.number')
    .where('ticket.tenantId', '=', tenantId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('support.participants as requester')
            .select('requester.id')
            .whereRef('requester.tenantId', '=', 'ticket.tenantId')
            .whereRef('requester.ticketId', '=', 'ticket.id')
            .where('requester.role', '=', 'requester'),
        ),
      ),
    )
    .orderBy('ticket.id')
    .execute()
  for (const { number } of lost) yield `Ticket ${number} has no customer.`
}
