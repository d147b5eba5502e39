import {
  beginPayment,
  closingPages,
  findInvoice,
  invoiceView,
  partsOf,
  preparedOf,
  startPayment,
} from '#billing'
import type { Caller } from '#lib/caller.ts'
import { forbidden, notFound } from '#lib/problem.ts'
import { IdParams } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { allowed } from '../live-status/routes.ts'
import { findServiceOf, lockService, type ServiceView } from '../queries.ts'
import { viewOf } from '../rules.ts'
import { Service } from '../schema.ts'
import { wishStartup } from '../startup/actions.ts'
import { wishIn } from '../startup/routes.ts'
import { cancelService, changeService, lockOwn, renewNow, resumeService } from './actions.ts'
import { withdrawFrom } from './money-back.ts'
import { Cancellation, Renewal, Renewed, ServiceChange, Withdrawn } from './schema.ts'

const tags = ['Services']

/** A service of the caller's own. Throws 404, and 403 for one that is only shared with them. */
export async function ownService(db: Db, caller: Caller, id: string): Promise<ServiceView> {
  const service = await findServiceOf(db, caller, id)
  if (!service) throw notFound('Service')
  if (service.role !== 'owner') throw forbidden('Only the owner may change what is paid for.')
  return service
}

/** An invoice as its customer sees it; null when there is none. */
export async function invoiceOf(
  db: Db,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
  now: Instant,
) {
  const invoice = await findInvoice(db, { tenantId, invoiceId })
  return invoice ? invoiceView(invoice, await partsOf(db, { tenantId, invoiceId }), now) : null
}

const idOf = (params: unknown) => (params as { id: string }).id

/** What the owner of a service does with it: change, renew, cancel, withdraw. */
export const lifeRoutes: Routes = (app, deps) => {
  app.route({
    method: 'PATCH',
    url: '/v1/services/:id',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => allowed(db, caller, idOf(params), 'settings'),
    },
    schema: {
      tags,
      summary: 'Change a service: its name, renewal, next plan and start-up settings',
      description:
        'Start-up settings also for members with `settings`, the rest for the owner only. Name and start-up settings are changed on the panel by a job; the latter count from the next start. 404 for a plan of another product, 409 `next_period_paid`, `period_unpaid` or `service_canceled`, 422 `plan_not_changeable`, `no_matching_plan` or `environment_invalid`.',
      params: IdParams,
      body: ServiceChange,
      response: { 200: Service, ...problems(403, 404, 409, 422) },
    },
    async handler({ caller, params: { id }, body, now, transact }) {
      const { environment, dockerImage, startup, ...change } = body
      const wish = wishIn({ environment, dockerImage, startup })
      return transact(async (tx) => {
        const { tenantId } = await allowed(tx, caller, id, 'settings')
        if (Object.keys(change).length > 0) {
          await ownService(tx, caller, id)
          await changeService(tx, await lockOwn(tx, caller, id), change, now)
        }
        const service = await lockService(tx, { tenantId, id })
        if (service && Object.keys(wish).length > 0) await wishStartup(tx, service, wish, now)
        return viewOf(await allowed(tx, caller, id, 'settings'))
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/cancel',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Cancel a service at the end of its period, or now',
      description:
        '`period_end` ends it with the last paid period and can be revoked with `resume`; unpaid renewals are withdrawn. `now` deletes the server with its data, bills metered hours, and refunds nothing unless the shop does: `cancel-preview` shows it. 409 `service_pending` before it is paid, 422 `no_period` for a plan without periods.',
      params: IdParams,
      body: Cancellation,
      response: { 200: Service, ...problems(403, 404, 409, 422) },
    },
    async handler({ caller, params: { id }, body, now, transact }) {
      return transact(async (tx) => {
        await cancelService(tx, await lockOwn(tx, caller, id), body, now)
        return viewOf(await ownService(tx, caller, id))
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/resume',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Revoke a cancellation at the end of the period',
      description: 'Renewals go on. 409 `service_not_canceled`, also once it has ended.',
      params: IdParams,
      response: { 200: Service, ...problems(403, 404, 409) },
    },
    async handler({ caller, params: { id }, now, transact }) {
      return transact(async (tx) => {
        await resumeService(tx, await lockOwn(tx, caller, id), now)
        return viewOf(await ownService(tx, caller, id))
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/renew',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Pay the next period of a service now, or the one that is due',
      description:
        'Opens the invoice of the next period, or takes the oldest unpaid one, and begins its payment. `payment` is null where nothing is due. 409 `service_not_active`, `service_canceled` or `change_planned`, 422 `plan_not_renewable`, and `paid_ahead` beyond three years.',
      params: IdParams,
      body: Renewal,
      response: { 200: Renewed, ...problems(403, 404, 409, 422) },
    },
    async handler({ db, caller, params: { id }, body, now, transact }) {
      const { tenantId } = caller
      const { invoiceId, begun } = await closingPages(deps, db, (pages) =>
        transact(async (tx) => {
          const renewed = await renewNow(tx, await lockOwn(tx, caller, id), now)
          const invoice = await findInvoice(tx, { tenantId, invoiceId: renewed })
          const free = invoice?.status === 'paid'
          const means = { ...body, invoiceIds: [renewed], pages }
          const payment = free ? null : await beginPayment(tx, deps.areas, caller, means, now)
          return { invoiceId: renewed, begun: payment }
        }),
      )
      const payment = begun && (await startPayment(deps, db, preparedOf(begun)))
      const service = viewOf(await ownService(db, caller, id))
      return { service, invoice: await invoiceOf(db, { tenantId, invoiceId }, now), payment }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/withdraw',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Withdraw from the contract within 14 days of the order, as consumers may',
      description:
        'Ends the service, deletes its server, and refunds what was paid to where it came from, less what was used since it began. 422 `withdrawal_period_over`, `not_a_consumer` or `not_ordered`.',
      params: IdParams,
      response: { 200: Withdrawn, ...problems(403, 404, 409, 422) },
    },
    async handler({ caller, params: { id }, now, transact }) {
      return transact(async (tx) => {
        const refundCents = await withdrawFrom(tx, await lockOwn(tx, caller, id), now)
        const service = viewOf(await ownService(tx, caller, id))
        return { service, refundCents, currency: service.currency }
      })
    },
  })
}
