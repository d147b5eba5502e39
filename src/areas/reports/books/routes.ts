import { Type } from 'typebox'
import { gatewayNames, listNumberGaps, listSeries } from '#billing'
import { type AccountBalance, listAccountBalances, listTrialBalance } from '#ledger'
import { sumCents } from '#lib/money.ts'
import {
  Amount,
  Currency,
  Id,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import {
  answers,
  atOnce,
  BATCH,
  FormatQuery,
  inBatches,
  sendCsv,
  wantsCsv,
} from '#platform/http/table.ts'
import { reading, tags } from '../access.ts'
import { AtQuery, atOf } from '../at.ts'
import { cursorOf, isAccountCode, isCurrency, wordsOf } from '../cursor.ts'

const Account = Resource('LedgerAccount', {
  code: Type.String({
    description: '`revenue`, `cash:…`; customers by kind, unless each is wanted',
  }),
  type: OneOf(['asset', 'liability', 'income', 'expense', 'equity']),
  ownerId: Nullable(Id),
  name: Nullable(Type.String({ description: 'Of a gateway' })),
  currency: Currency,
  debitCents: { ...Amount, description: 'The balance, where debits are more' },
  creditCents: { ...Amount, description: 'The balance, where credits are more' },
})

const TrialBalance = Resource('TrialBalance', {
  at: Timestamp,
  data: Type.Array(Account),
  totals: Type.Array(
    Type.Object({
      currency: Currency,
      debitCents: {
        ...Amount,
        description: 'Of what is listed here; of all accounts both are the same',
      },
      creditCents: Amount,
    }),
  ),
  nextCursor: Nullable(Type.String()),
})

const COLUMNS = [
  ...(['code', 'type', 'ownerId', 'name', 'currency', 'debitCents', 'creditCents'] as const),
] as const

const Gaps = Resource('NumberGaps', {
  series: Type.Array(
    Type.Object({
      code: Type.String(),
      year: Type.Integer(),
      lastSequence: Type.Integer({ description: 'The last number that was given; 0: none yet' }),
      lastIssuedAt: Nullable(Timestamp),
      gaps: Type.Integer({ description: 'Breaks found in it: none, ever' }),
    }),
  ),
  gaps: Type.Array(
    Type.Object({
      code: Type.String(),
      year: Type.Integer(),
      from: Type.Integer(),
      to: Type.Integer(),
      kind: OneOf(
        ['missing', 'not_given', 'dated_back'],
        'No document has the numbers; in use but never given; dated before the one before it',
      ),
    }),
  ),
})

const GAP_COLUMNS = ['code', 'year', 'from', 'to', 'kind'] as const

export const bookRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/reports/trial-balance',
    config: reading,
    schema: {
      tags,
      summary: 'Get the balance of every ledger account at an instant',
      querystring: Type.Object({
        ...AtQuery,
        accounts: Type.Optional(
          OneOf(['kinds', 'each'], 'Those of customers added up, which is the default, or each'),
        ),
        ...PageQuery.properties,
        ...FormatQuery,
      }),
      response: answers(TrialBalance),
    },
    async handler(request, reply) {
      const { tenantId, query, db, now } = request
      const key = { tenantId, at: atOf(query, now) }
      const names = await gatewayNames(db, tenantId)
      const shown = (rows: readonly AccountBalance[]) => rows.map((row) => accountView(row, names))
      const each = query.accounts === 'each'
      if (wantsCsv(request)) {
        const listed = each
          ? inBatches<AccountBalance>(BATCH, (after) =>
              listAccountBalances(db, key, { after, limit: BATCH }),
            )
          : atOnce(await listTrialBalance(db, key))
        const batches = viewed(listed, shown)
        return sendCsv(request, reply, { name: 'trial-balance', columns: COLUMNS, batches }, log)
      }
      const { limit = 25, cursor } = query
      const after = each && cursor !== undefined ? placeOf(cursor) : null
      const rows = each
        ? await listAccountBalances(db, key, { after, limit: limit + 1 })
        : await listTrialBalance(db, key)
      const part = each ? rows.slice(0, limit) : rows
      const last = part.length < rows.length ? part.at(-1) : undefined
      const nextCursor = last ? cursorOf(last.code, last.currency) : null
      const data = shown(part)
      return { at: key.at, data, totals: totalsOf(data), nextCursor }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/reports/number-gaps',
    config: reading,
    schema: {
      tags,
      summary: 'Get the document number series with their gaps; there must be none',
      description: 'CSV holds the gaps.',
      querystring: Type.Object(FormatQuery),
      response: answers(Gaps),
    },
    async handler(request, reply) {
      const { tenantId, db } = request
      const gaps = await listNumberGaps(db, tenantId)
      if (wantsCsv(request)) {
        const table = { name: 'number-gaps', columns: GAP_COLUMNS, batches: atOnce(gaps) }
        return sendCsv(request, reply, table, log)
      }
      const series = (await listSeries(db, tenantId)).map((it) => ({
        ...it,
        gaps: gaps.filter(({ code, year }) => code === it.code && year === it.year).length,
      }))
      return { series, gaps }
    },
  })
}

function accountView(
  { balanceCents, ...account }: AccountBalance,
  names: ReadonlyMap<string, string>,
) {
  return {
    ...account,
    name: names.get(account.ownerId ?? '') ?? null,
    debitCents: sumCents(balanceCents > 0 ? [balanceCents] : []),
    creditCents: sumCents(balanceCents < 0 ? [-balanceCents] : []),
  }
}

type Shown = ReturnType<typeof accountView>

function totalsOf(accounts: readonly Shown[]) {
  return [...Map.groupBy(accounts, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    debitCents: sumCents(own.map(({ debitCents }) => debitCents)),
    creditCents: sumCents(own.map(({ creditCents }) => creditCents)),
  }))
}

async function* viewed(
  batches: AsyncIterable<readonly AccountBalance[]>,
  shown: (rows: readonly AccountBalance[]) => Shown[],
) {
  for await (const rows of batches) yield shown(rows)
}

function placeOf(cursor: string) {
  const [code, currency] = wordsOf(cursor, [isAccountCode, isCurrency])
  return { code, currency }
}
