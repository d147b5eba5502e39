import type { Db } from '#platform/database/index.ts'

/** Redeemed vouchers whose amount is not in the books, and vouchers that are in the books without being redeemed. */
export async function* faults(db: Db, tenantId: string): AsyncIterable<string> {
  const wrong = await db
    .selectFrom('vouchers.vouchers as voucher')
    .leftJoin('ledger.transactions as transaction', (join) =>
      join
        .onRef('transaction.tenantId', '=', 'voucher.tenantId')
        .onRef('transaction.eventId', '=', 'voucher.id'),
    )
    .select(['voucher.id', 'voucher.redeemedAt'])
    .where('voucher.tenantId', '=', tenantId)
    .where((is) =>
      is.or([
        is.and([is('voucher.redeemedAt', 'is not', null), is('transaction.id', 'is', null)]),
        is.and([is('voucher.redeemedAt', 'is', null), is('transaction.id', 'is not', null)]),
      ]),
    )
    .execute()
  for (const { id, redeemedAt } of wrong) {
    yield redeemedAt
      ? `Voucher ${id} was redeemed, but its amount is not in the books.`
      : `Voucher ${id} is in the books, but was not redeemed.`
  }
}
