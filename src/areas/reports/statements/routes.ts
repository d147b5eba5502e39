import { Type } from 'typebox'
import { numbersOf } from '#billing'
import { listMovements, listStandings, type Movement, placeBefore, type Standing } from '#ledger'
import { type Cents, cents } from '#lib/money.ts'
import { notFound } from '#lib/problem.ts'
import {
  Amount,
  Currency,
  DayOn,
  Id,
  IdParams,
  Nullable,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { instant, isInstant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { answers, BATCH, FormatQuery, inBatches, sendCsv, wantsCsv } from '#platform/http/table.ts'
import { findUser } from '#users'
import { reading, tags } from '../access.ts'
import { cursorOf, isUuid, wordsOf } from '../cursor.ts'
import { SpanQuery, spanOf } from '../span.ts'

const Statement = Resource('CustomerStatement', {
  userId: Id,
  startOn: DayOn,
  endOn: DayOn,
  balances: Type.Array(
    Type.Object({
      currency: Currency,
      openingCents: {
        ...Amount,
        description: 'Debt less credit at the beginning of the first day',
      },
      closingCents: { ...Amount, description: 'The same when the last day ended, or now' },
    }),
  ),
  data: Type.Array(
    Type.Object({
      id: Id,
      createdAt: Timestamp,
      kind: Type.String({
        description: '`invoice_issued`, `payment_received`, `credit_note`, `refund` …',
      }),
      documentNumber: Nullable(Type.String({ description: 'Of the invoice or credit note' })),
      description: Nullable(Type.String()),
      currency: Currency,
      owedCents: { ...Amount, description: 'How much more is owed on invoices' },
      creditCents: { ...Amount, description: 'How much more credit there is' },
      balanceCents: { ...Amount, description: 'Debt less credit after it' },
    }),
  ),
  nextCursor: Nullable(Type.String()),
})

const COLUMNS = [
  ...(['createdAt', 'kind', 'documentNumber', 'description', 'currency'] as const),
  ...(['owedCents', 'creditCents', 'balanceCents'] as const),
] as const

const { from, to } = SpanQuery.properties

export const statementRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/reports/users/:id/statement',
    config: reading,
    schema: {
      tags,
      summary: 'Get the statement of a customer: opening balance, entries, closing balance',
      description: 'Oldest first. CSV holds all movements.',
      params: IdParams,
      querystring: Type.Object({ from, to, ...PageQuery.properties, ...FormatQuery }),
      response: { ...answers(Statement), ...problems(404) },
    },
    async handler(request, reply) {
      const { tenantId, db, now, query, params } = request
      const userId = params.id
      if (!(await findUser(db, { tenantId, userId }))) throw notFound('User')
      const { limit = 25, cursor, ...days } = query
      const span = spanOf({ ...days, interval: 'quarter' }, now)
      const key = { tenantId, userId, to: span.to }
      const start = placeBefore(span.from)
      const openings = await listStandings(db, key, start)
      if (wantsCsv(request)) {
        const read = inBatches<Movement>(BATCH, (after) =>
          listMovements(db, key, { after: after ?? start, limit: BATCH }),
        )
        const batches = running(db, tenantId, read, openings)
        const name = `statement-${userId}`
        return sendCsv(request, reply, { name, columns: COLUMNS, batches }, log)
      }
      const after = cursor === undefined ? start : placeOf(cursor, start)
      const rows = await listMovements(db, key, { after, limit: limit + 1 })
      const standings = cursor === undefined ? openings : await listStandings(db, key, after)
      const part = rows.slice(0, limit)
      const last = rows.length > limit ? part.at(-1) : undefined
      const closings = await listStandings(db, key, placeBefore(span.to))
      return {
        userId,
        ...{ startOn: span.startOn, endOn: span.endOn },
        balances: closings.map(({ currency, balanceCents: closingCents }) => ({
          currency,
          openingCents: standingIn(openings, currency),
          closingCents,
        })),
        data: await shown(db, tenantId, part, runningFrom(standings)),
        nextCursor: last ? cursorOf(last.createdAt, last.id) : null,
      }
    },
  })
}

/** The position where a page continues; a cursor from before the first day starts at that day. */
function placeOf(cursor: string, start: ReturnType<typeof placeBefore>) {
  const [createdAt, id] = wordsOf(cursor, [isInstant, isUuid])
  const place = { createdAt: instant(createdAt), id }
  return place.createdAt < start.createdAt ? start : place
}

function standingIn(standings: readonly Standing[], of: string): Cents {
  return standings.find(({ currency }) => currency === of)?.balanceCents ?? cents(0)
}

/** Adds movements to an account's opening balance, by currency. */
function runningFrom(standings: readonly Standing[]) {
  const balances = new Map<string, number>(
    standings.map(({ currency, balanceCents }) => [currency, balanceCents]),
  )
  return ({ currency, owedCents, creditCents }: Movement): Cents => {
    const balance = cents((balances.get(currency) ?? 0) + owedCents - creditCents)
    balances.set(currency, balance)
    return balance
  }
}

async function shown(
  db: Db,
  tenantId: string,
  movements: readonly Movement[],
  add: (movement: Movement) => Cents,
) {
  const ids = movements.map(({ eventId }) => eventId)
  const numbers = await numbersOf(db, tenantId, ids)
  return movements.map((movement) => {
    const { eventId, ...it } = movement
    return { ...it, documentNumber: numbers.get(eventId) ?? null, balanceCents: add(movement) }
  })
}

async function* running(
  db: Db,
  tenantId: string,
  batches: AsyncIterable<readonly Movement[]>,
  openings: readonly Standing[],
) {
  const add = runningFrom(openings)
  for await (const movements of batches) yield shown(db, tenantId, movements, add)
}
