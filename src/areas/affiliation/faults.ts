import { sql } from 'kysely'
import { commissionBalances } from '#ledger'
import { formatAmount } from '#lib/currency.ts'
import type { Cents } from '#lib/money.ts'
import type { Db } from '#platform/database/index.ts'
import { listAffiliates } from './affiliates/queries.ts'
import { importedBalances, importedEarnings } from './imported/queries.ts'

const BATCH = 500

type Sum = { affiliateId: string; currency: string; cents: Cents }

/** Affiliates whose commissions and conversions do not add up to their balance in the books (R6.4). */
export async function* faults(db: Db, tenantId: string): AsyncIterable<string> {
  let cursor: string | null | undefined
  do {
    const page = await listAffiliates(db, tenantId, {}, { limit: BATCH, ...(cursor && { cursor }) })
    const ids = page.data.map(({ id }) => id)
    if (ids.length > 0) yield* faultsOf(db, tenantId, ids)
    cursor = page.nextCursor
  } while (cursor)
}

async function* faultsOf(db: Db, tenantId: string, ids: readonly string[]): AsyncIterable<string> {
  const balances = await commissionBalances(db, tenantId, ids)
  const [pending, matured] = [
    [
      ...(await earned(db, tenantId, ids, false)),
      ...(await importedEarnings(db, tenantId, ids, false)),
    ],
    [
      ...(await earned(db, tenantId, ids, true)),
      ...(await importedEarnings(db, tenantId, ids, true)),
      ...(await importedBalances(db, tenantId, ids)),
    ],
  ]
  const converted = await convertedBy(db, tenantId, ids)
  const keys = new Set([...balances, ...pending, ...matured, ...converted].map(keyOf))
  for (const key of keys) {
    const [affiliateId = '', currency = ''] = key.split(' ')
    const balance = balances.find((it) => keyOf(it) === key)
    const sum = (sums: readonly Sum[]) => {
      const own = sums.filter((it) => keyOf(it) === key)
      return own.reduce((all, it) => all + it.cents, 0)
    }
    const compared = [
      ['pending', balance?.pendingCents ?? 0, sum(pending)],
      ['available', balance?.availableCents ?? 0, sum(matured) - sum(converted)],
    ] as const
    for (const [what, booked, kept] of compared) {
      if (booked === kept) continue
      const [first, second] = [booked, kept].map((it) => formatAmount(it, currency))
      yield `Affiliate ${affiliateId} has ${first} ${what} in the books, and ${second} by commission.`
    }
  }
}

function keyOf({ affiliateId, currency }: { affiliateId: string; currency: string }): string {
  return `${affiliateId} ${currency}`
}

function earned(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  matured: boolean,
): Promise<Sum[]> {
  return db
    .selectFrom('affiliation.commissions')
    .select(['affiliateId', 'currency'])
    .select(sql<Cents>`sum(amount_cents - reversed_cents)::bigint`.as('cents'))
    .where('tenantId', '=', tenantId)
    .where('affiliateId', 'in', [...ids])
    .where('maturedAt', matured ? 'is not' : 'is', null)
    .groupBy(['affiliateId', 'currency'])
    .execute()
}

function convertedBy(db: Db, tenantId: string, ids: readonly string[]): Promise<Sum[]> {
  return db
    .selectFrom('affiliation.conversions')
    .select(['affiliateId', 'currency', sql<Cents>`sum(amount_cents)::bigint`.as('cents')])
    .where('tenantId', '=', tenantId)
    .where('affiliateId', 'in', [...ids])
    .groupBy(['affiliateId', 'currency'])
    .execute()
}
