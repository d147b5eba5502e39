import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { gone, notFound } from '#lib/problem.ts'
import { Amount, Body, Currency, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { invoiceIdIn } from '#notifications'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { listUnfinished } from '../attempts/queries.ts'
import { PaymentSchema } from '../attempts/schema.ts'
import { startPayment } from '../attempts/start.ts'
import { findInvoice, type InvoiceRow } from '../invoices/queries.ts'
import { dueCents } from '../invoices/rules.ts'
import { beginPayment, preparedOf } from '../quotes/begin.ts'
import { closingPages } from '../quotes/pages.ts'

const tags: Tag[] = ['Billing']
const url = '/v1/billing/payment-links/:token'
const Params = Type.Object({ token: Type.String({ maxLength: 100 }) })

const PaymentLink = Resource('PaymentLink', {
  number: Nullable(Type.String()),
  status: OneOf(
    ['open', 'processing', 'paid', 'over'],
    'processing: a payment is pending; over: nothing is left to pay',
  ),
  totalCents: Amount,
  dueCents: Amount,
  currency: Currency,
  dueAt: Nullable(Timestamp),
})

/** Only what a payer without an account needs: no saved method or credit of the customer is used. */
const PayByLink = Body({
  gatewayId: Id,
  returnUrl: Type.Optional(Type.String({ format: 'uri', maxLength: 2000 })),
})

/** Payment links: anyone with the link of an invoice can pay it without signing in. */
export const paymentLinkRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'Get amount and payment status of the invoice of a mailed link',
      params: Params,
      description: LASTS,
      response: { 200: PaymentLink, ...problems(404, 410) },
    },
    async handler(request) {
      const { db, params } = request
      return linkView(db, await invoiceOf(deps, request, params.token))
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/pay`,
    config: {
      access: 'public',
      exists: (request) => invoiceOf(deps, request, (request.params as { token: string }).token),
    },
    schema: {
      tags,
      summary: 'Pay the invoice of a mailed link',
      params: Params,
      body: PayByLink,
      description: LASTS,
      response: { 200: PaymentSchema, ...problems(404, 409, 410) },
    },
    async handler(request) {
      const { db, body, params, now, transact } = request
      const { tenantId, userId, id } = await invoiceOf(deps, request, params.token)
      const payer = { tenantId, userId }
      const begun = await closingPages(deps, db, (pages) =>
        transact((tx) =>
          beginPayment(tx, deps.areas, payer, { ...body, invoiceIds: [id], pages }, now),
        ),
      )
      return startPayment(deps, db, preparedOf(begun))
    },
  })
}

/** The longest chain of replaced invoices to follow; a longer one is a bug. */
const MOST_REPLACED = 20

/**
 * The invoice of a link, or the invoice that replaced it. A wrong token counts against the quota of guesses;
 * once the quota is used up, a right token is refused as well. Throws 404, 410 or 429.
 */
async function invoiceOf(deps: Deps, request: FastifyRequest, token: string): Promise<InvoiceRow> {
  const { db, tenantId } = request
  const { remaining } = await deps.limiter.ask('auth', networkOf(request.ip))
  if (remaining === 0) await request.spendAuthQuota()
  const invoiceId = invoiceIdIn(deps.secrets, token)
  let invoice = invoiceId ? await findInvoice(db, { tenantId, invoiceId }) : undefined
  if (!invoice || invoice.status === 'draft') {
    await request.spendAuthQuota()
    throw notFound('Invoice')
  }
  for (let index = 0; invoice.replacedBy && index < MOST_REPLACED; index += 1) {
    const next: InvoiceRow | undefined = await findInvoice(db, {
      ...{ tenantId, invoiceId: invoice.replacedBy },
    })
    if (!next) break
    invoice = next
  }
  assertCurrent(invoice, request.now)
  return invoice
}

const SHOWN_DAYS = 30
const LASTS = `A link is valid as long as its invoice can be paid, and shows for ${SHOWN_DAYS} more days that it was settled.`

/** Throws 410 for an invoice that was paid, voided or written off long ago: the link has nothing left to do. */
function assertCurrent({ status, paidAt, voidedAt, writtenOffAt }: InvoiceRow, now: Instant): void {
  const settledAt = paidAt ?? voidedAt ?? writtenOffAt
  if (status === 'open' || settledAt === null) return
  if (later(settledAt, SHOWN_DAYS * DAY_MS) <= now) throw gone('This payment link has expired.')
}

async function linkView(db: Db, invoice: InvoiceRow) {
  const { tenantId, id, number, totalCents, currency, dueAt } = invoice
  const due = dueCents(invoice)
  const view = { number, totalCents, dueCents: due, currency, dueAt }
  if (invoice.status === 'paid') return { ...view, status: 'paid' as const }
  if (invoice.status !== 'open' || due === 0) return { ...view, status: 'over' as const }
  const attempts = await listUnfinished(db, tenantId, [id])
  const isOnItsWay = attempts.some(({ state }) => state === 'processing')
  return { ...view, status: isOnItsWay ? ('processing' as const) : ('open' as const) }
}
