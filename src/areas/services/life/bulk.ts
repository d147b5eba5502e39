import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { BULK, BulkBody, BulkResult, inBulk, type Outcome } from '#platform/http/bulk.ts'
import type { Routes } from '#platform/http/index.ts'
import { retryNow } from '../operators/actions.ts'
import { lockService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { suspendFor } from '../states/actions.ts'
import { unsuspend } from './actions.ts'

const ACTIONS = ['suspend', 'unsuspend', 'retry'] as const
type Action = (typeof ACTIONS)[number]

/** What administrators do to several services at once. */
export const bulkServiceRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/services/bulk',
    config: { access: 'admin', permission: 'services:write' },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Suspend, unsuspend or retry several services',
      description: BULK,
      body: BulkBody(ACTIONS, {}),
      response: { 200: BulkResult },
    },
    async handler(request) {
      const { body, tenantId, now } = request
      return inBulk(body, request, (tx, id) => act(tx, body.action, { tenantId, id }, now))
    },
  })
}

async function act(tx: Tx, action: Action, key: ServiceKey, now: Instant): Promise<Outcome> {
  const service = await lockService(tx, key)
  if (!service) throw notFound('Service')
  if (action !== 'retry' && isAsWanted(service, action)) return 'unchanged'
  if (action === 'suspend') await suspendFor(tx, service, 'admin', now)
  if (action === 'unsuspend') await unsuspend(tx, service, now)
  if (action === 'retry') await retryNow(tx, service, now)
  return 'done'
}

function isAsWanted({ suspendReasons, endedAt }: ServiceRow, action: 'suspend' | 'unsuspend') {
  if (endedAt) return false
  return action === 'suspend' ? suspendReasons.includes('admin') : suspendReasons.length === 0
}
