import { IdParams } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { guarded } from '../guarded.ts'
import { sendPage, visitsOf } from '../visit.ts'
import { type Order, orderPage, type Service } from './page.ts'

/** Servers of one order that are shown while they are set up. */
const MOST_SHOWN = 20

/** The page on which a buyer sees their servers come to life. */
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
      return sendPage(request, reply, orderPage(visit, order, services))
    },
    { params: IdParams },
  )
}
