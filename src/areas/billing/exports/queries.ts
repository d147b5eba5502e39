import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'

type Owner = { tenantId: string; userId: string }

/** Takes the lease on a person's export; undefined while another export of theirs is being read. */
export function takeLease(
  tx: Tx,
  row: Owner & { leaseId: string; heldUntil: Instant },
  now: Instant,
) {
  const { leaseId, heldUntil } = row
  return tx
    .insertInto('billing.export_leases')
    .values(row)
    .onConflict((it) =>
      it
        .columns(['tenantId', 'userId'])
        .doUpdateSet({ leaseId, heldUntil })
        .where('billing.export_leases.heldUntil', '<=', now),
    )
    .returning('leaseId')
    .executeTakeFirst()
}

export async function endLease(
  tx: Tx,
  { tenantId, userId, leaseId }: Owner & { leaseId: string },
): Promise<void> {
  await tx
    .deleteFrom('billing.export_leases')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('leaseId', '=', leaseId)
    .execute()
}

/** A person's payments, without anything that could be charged. */
export function listPaymentsOfPerson(db: Db, { tenantId, userId }: Owner, limit: number) {
  return db
    .selectFrom('billing.payments')
    .select(['id', 'receivedCents', 'currency', 'creditCents', 'methodKind', 'methodBrand'])
    .select(['methodLast4', 'methodCountry', 'paidAt', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function listRefundsOfPerson(db: Db, { tenantId, userId }: Owner, limit: number) {
  return db
    .selectFrom('billing.refunds')
    .select(['id', 'invoiceId', 'creditNoteId', 'amountCents', 'currency', 'state', 'reason'])
    .select(['createdAt', 'endedAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function listDisputesOfPerson(db: Db, { tenantId, userId }: Owner, limit: number) {
  return db
    .selectFrom('billing.disputes as dispute')
    .innerJoin('billing.payments as payment', (join) =>
      join
        .onRef('payment.tenantId', '=', 'dispute.tenantId')
        .onRef('payment.id', '=', 'dispute.paymentId'),
    )
    .select(['dispute.id', 'dispute.paymentId', 'dispute.amountCents', 'dispute.currency'])
    .select(['dispute.state', 'dispute.reason', 'dispute.createdAt', 'dispute.endedAt'])
    .where('dispute.tenantId', '=', tenantId)
    .where('payment.userId', '=', userId)
    .orderBy('dispute.id', 'desc')
    .limit(limit)
    .execute()
}
