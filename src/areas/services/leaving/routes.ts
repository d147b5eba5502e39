import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, OneOf, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { assertCancelable, canceling, endOfCanceled, lockOwn } from '../lifecycle/actions.ts'
import { assertMayWithdraw } from '../lifecycle/money-back.ts'
import { ownService } from '../lifecycle/routes.ts'
import { CANCEL_CODES, Cancellation, Termination } from '../lifecycle/schema.ts'
import { findService, lockService } from '../queries.ts'
import { assertNotEnding } from '../states/rules.ts'
import { previewOf } from './preview.ts'
import { LeavingPreview } from './schema.ts'

const idOf = (params: unknown) => (params as { id: string }).id

/** What the owner of a service sees before it ends. */
export const leavingRoutes: Routes = (app) => {
  const tags = ['Services']
  app.route({
    method: 'POST',
    url: '/v1/services/:id/cancel-preview',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Show what a cancellation costs and returns, without canceling',
      description: 'Takes the body of `cancel` and refuses what it refuses.',
      params: IdParams,
      body: Cancellation,
      response: {
        200: Resource('CancellationPreview', {
          ...LeavingPreview.properties,
          reasonCodes: Type.Array(OneOf(CANCEL_CODES)),
        }),
        ...problems(403, 404, 409, 422),
      },
    },
    async handler({ caller, params: { id }, body, now, transact }) {
      return transact(async (tx) => {
        const service = await lockOwn(tx, caller, id)
        assertCancelable(service, body.at)
        const at = await endOfCanceled(tx, service, body.at, now)
        const { way, to = 'credit' } = canceling(service, body.at)
        const ending = { way: at > now ? ('completed' as const) : way, at, to }
        const preview = await previewOf(tx, service, ending, now)
        return { ...preview, reasonCodes: [...CANCEL_CODES] }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/withdraw-preview',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Show what a withdrawal from the contract returns, without withdrawing',
      description: 'Refuses what `withdraw` refuses.',
      params: IdParams,
      response: { 200: LeavingPreview, ...problems(403, 404, 409, 422) },
    },
    async handler({ caller, params: { id }, now, transact }) {
      return transact(async (tx) => {
        const service = await lockOwn(tx, caller, id)
        await assertMayWithdraw(tx, service, now)
        return previewOf(tx, service, { way: 'withdrawn', at: now, to: 'payment' }, now)
      })
    },
  })
}

/** What staff see before they terminate a service. */
export const adminLeavingRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/terminate-preview',
    config: {
      ...{ access: 'admin', permission: 'services:write' },
      async exists({ db, tenantId, params }) {
        const service = await findService(db, { tenantId, id: idOf(params) })
        if (!service) throw notFound('Service')
        return service
      },
    },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Show what a termination bills and credits, without terminating',
      description: 'Takes the body of `terminate`.',
      params: IdParams,
      body: Type.Optional(Termination),
      response: { 200: LeavingPreview, ...problems(404, 409) },
    },
    async handler({ tenantId, params: { id }, now, transact }) {
      return transact(async (tx) => {
        const service = await lockService(tx, { tenantId, id })
        if (!service) throw notFound('Service')
        assertNotEnding(service)
        return previewOf(tx, service, { way: 'terminated', at: now, to: 'credit' }, now)
      })
    },
  })
}
