import { Type } from 'typebox'
import { type AgedDueOfCustomer, listAgedDue, listAgedDueOfCustomers } from '#billing'
import {
  Amount,
  Currency,
  Id,
  Nullable,
  Page,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
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
import { namesOf } from '#users'
import { reading, tags } from '../access.ts'
import { AsOfQuery, endOf } from '../at.ts'
import { cursorOf, isCurrency, isUuid, wordsOf } from '../cursor.ts'

const Aged = {
  currency: Currency,
  notDueCents: Amount,
  days1To30Cents: { ...Amount, description: 'Due for up to 30 times 24 hours' },
  days31To60Cents: Amount,
  days61To90Cents: Amount,
  days91AndMoreCents: Amount,
  dueCents: { ...Amount, description: 'All of it' },
  invoices: Type.Integer(),
}

const AGED = [
  ...(['currency', 'notDueCents', 'days1To30Cents', 'days31To60Cents'] as const),
  ...(['days61To90Cents', 'days91AndMoreCents', 'dueCents', 'invoices'] as const),
] as const

const Receivables = Resource('Receivables', { at: Timestamp, data: Type.Array(Type.Object(Aged)) })

const OfCustomer = Resource('CustomerReceivables', {
  userId: Id,
  name: Type.String(),
  email: Type.String(),
  ...Aged,
  oldestDueAt: Nullable(Timestamp),
})

const CUSTOMER_COLUMNS = ['userId', 'name', 'email', ...AGED, 'oldestDueAt'] as const

export const receivableRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/reports/receivables',
    config: reading,
    schema: {
      tags,
      summary: 'Get receivables on issued invoices by age',
      querystring: Type.Object({ ...AsOfQuery, ...FormatQuery }),
      response: answers(Receivables),
    },
    async handler(request, reply) {
      const { tenantId, db, now, query } = request
      const at = endOf(query, now)
      const data = await listAgedDue(db, { tenantId, at })
      if (!wantsCsv(request)) return { at, data }
      const table = { name: 'receivables', columns: AGED, batches: atOnce(data) }
      return sendCsv(request, reply, table, log)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/reports/receivables/customers',
    config: reading,
    schema: {
      tags,
      summary: 'List receivables by customer, oldest customer first',
      querystring: Type.Object({ ...PageQuery.properties, ...AsOfQuery, ...FormatQuery }),
      response: answers(Page(OfCustomer)),
    },
    async handler(request, reply) {
      const { tenantId, db, now, query } = request
      const at = endOf(query, now)
      if (wantsCsv(request)) {
        const batches = named(
          db,
          tenantId,
          inBatches<AgedDueOfCustomer>(BATCH, (after) =>
            listAgedDueOfCustomers(db, { tenantId, at }, { after, limit: BATCH }),
          ),
        )
        const table = { name: 'receivables-customers', columns: CUSTOMER_COLUMNS, batches }
        return sendCsv(request, reply, table, log)
      }
      const { limit = 25, cursor } = query
      const after = cursor === undefined ? null : placeOf(cursor)
      const rows = await listAgedDueOfCustomers(db, { tenantId, at }, { after, limit: limit + 1 })
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      const nextCursor = last ? cursorOf(last.userId, last.currency) : null
      return { data: await withNames(db, tenantId, page), nextCursor }
    },
  })
}

function placeOf(cursor: string) {
  const [userId, currency] = wordsOf(cursor, [isUuid, isCurrency])
  return { userId, currency }
}

async function* named(
  db: Db,
  tenantId: string,
  batches: AsyncIterable<readonly AgedDueOfCustomer[]>,
) {
  for await (const rows of batches) yield withNames(db, tenantId, rows)
}

async function withNames(db: Db, tenantId: string, rows: readonly AgedDueOfCustomer[]) {
  const names = await namesOf(
    db,
    tenantId,
    rows.map(({ userId }) => userId),
  )
  return rows.map((row) => {
    const { name = '', email = '' } = names.get(row.userId) ?? {}
    return { ...row, name, email }
  })
}
