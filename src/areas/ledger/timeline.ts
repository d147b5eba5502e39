import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'
import { credit } from './accounts.ts'

/** The history of a person's credit: cents, positive if credit was added. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const changes = db
    .selectFrom('ledger.postings as posting')
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'posting.tenantId')
        .onRef('account.id', '=', 'posting.accountId'),
    )
    .innerJoin('ledger.transactions as transaction', (join) =>
      join
        .onRef('transaction.tenantId', '=', 'posting.tenantId')
        .onRef('transaction.id', '=', 'posting.transactionId'),
    )
    .where('account.tenantId', '=', tenantId)
    .where('account.code', '=', credit(userId).code)
  return [
    changes.select(
      moment('ledger.credit-changed', {
        at: 'transaction.createdAt',
        id: 'posting.id',
        objectId: 'transaction.id',
        detail: sql<string>`concat_ws(' ', -posting.amount_cents, posting.currency,
          "transaction".kind)`,
      }),
    ),
  ]
}
