import { badRequest, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { retestRefused } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { BULK, BulkBody, BulkResult, inBulk, type Outcome } from '#platform/http/bulk.ts'
import type { Routes } from '#platform/http/index.ts'
import { giveFreeDays } from '../free-days/actions.ts'
import { type FreeDays, OptionalFreeDays } from '../free-days/schema.ts'
import { retryNow } from '../operators/actions.ts'
import { lockService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { suspendFor } from '../states/actions.ts'
import { unsuspend } from './actions.ts'

const STATES = ['suspend', 'unsuspend', 'retry'] as const
const ACTIONS = [...STATES, 'free_days'] as const
type StateAction = (typeof STATES)[number]

/** What administrators do to several services at once. */
export const bulkServiceRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/services/bulk',
    config: { access: 'admin', permission: 'services:write' },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Suspend, unsuspend or retry several services, or give them free days',
      description: `${BULK} As many free days for the same reason within 24 hours: unchanged.`,
      body: BulkBody(ACTIONS, OptionalFreeDays),
      response: { 200: BulkResult },
    },
    async handler(request) {
      const { body, tenantId, now } = request
      const { action } = body
      if (action === 'retry' && !body.dryRun) await retestRefused(deps, request.db, tenantId)
      if (action !== 'free_days') {
        return inBulk(body, request, (tx, id) => act(tx, action, { tenantId, id }, now))
      }
      const free = freeDaysIn(body)
      return inBulk(body, request, (tx, id) => give(tx, { tenantId, id }, free, now))
    },
  })
}

function freeDaysIn({ days, reason }: Partial<FreeDays>): FreeDays {
  if (days !== undefined && reason !== undefined) return { days, reason }
  const path = days === undefined ? 'days' : 'reason'
  throw badRequest('Free days need a number and a reason.', [{ path, message: 'is missing' }])
}

async function give(tx: Tx, key: ServiceKey, free: FreeDays, now: Instant): Promise<Outcome> {
  return (await giveFreeDays(tx, key, free, now)) ? 'done' : 'unchanged'
}

async function act(tx: Tx, action: StateAction, key: ServiceKey, now: Instant): Promise<Outcome> {
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
