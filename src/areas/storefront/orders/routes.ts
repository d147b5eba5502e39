import { IdParams } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { waysFor } from '../checkout/data.ts'
import type { DueInvoice } from '../checkout/payment-pages.ts'
import { guarded } from '../guarded.ts'
import { sendPage, type Visit, visitsOf } from '../visit.ts'
import { type Order, orderPage, type Service } from './page.ts'

/** Servers of one order that are shown while they are set up. */
const MOST_SHOWN = 20

/** The page on which a buyer follows the set-up of their servers. */
export const orderPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page(
    'GET',
    '/orders/:id',
    async (request, reply) => {
      const { id } = request.params as { id: string }
      const visit = await visitOf(request, reply)
      if (!visit.session) return reply.redirect(`/sign-in?next=/orders/${id}`, 303)
      const order = await visit.call<Order>('GET', `/v1/billing/orders/${id}`)
      const ids = order.items.flatMap(({ serviceIds }) => serviceIds).slice(0, MOST_SHOWN)
      const services = await Promise.all(
        ids.map((serviceId) => visit.call<Service>('GET', `/v1/services/${serviceId}`)),
      )
      const due = order.payable ? await dueOn(visit, order) : null
      return sendPage(request, reply, orderPage(visit, { order, services, due }))
    },
    { params: IdParams },
  )
}

/** What is due on an order that can be paid, and the ways to pay it. */
async function dueOn(visit: Visit, { invoiceId }: Order) {
  const [invoice, ways] = await Promise.all([
    visit.call<DueInvoice>('GET', `/v1/billing/invoices/${invoiceId}`),
    waysFor(visit),
  ])
  return invoice.dueCents > 0 ? { invoice, ways } : null
}
