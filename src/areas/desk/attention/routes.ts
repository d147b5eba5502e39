import { type Caller, holds } from '#lib/caller.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { Routes } from '#platform/http/index.ts'
import { countOverdueTasks, countTroubled, type Trouble } from '#services'
import { countWaitingTickets, staffOf } from '#support'
import { isDefaultTenant } from '#tenants'
import { type Counted, type CountedKind, countWaiting } from './queries.ts'
import { ATTENTION_KINDS, Attention, type AttentionKind } from './schema.ts'

/** The permission for each kind is that of its list. The kinds of services are counted together. */
const PERMISSIONS: Readonly<Record<CountedKind, string>> = {
  ...{ dispute: 'invoices:read', refund: 'invoices:read', bank_entry: 'invoices:read' },
  ...{ invoice_evidence: 'invoices:read', difference: 'gateways:read', gateway: 'gateways:read' },
  ...{ commission: 'affiliation:read', node: 'nodes:read', product: 'store:read' },
  ...{ webhook_endpoint: 'webhooks:read', mail: 'system:read', mail_server: 'system:read' },
  mail_text: 'system:read',
}

const OF_SERVICES: Readonly<Record<Trouble, AttentionKind>> = {
  ...{ failed: 'service_failed', provisioning: 'service_provisioning' },
  ...{ transition: 'service_transition', upgrade: 'service_upgrade' },
  ...{ unmanaged: 'service_unmanaged', renewal: 'service_renewal' },
  ...{ unwarned: 'service_unwarned', delivery: 'service_delivery' },
}

const WAITING: ReadonlySet<AttentionKind> = new Set([
  ...(['refund', 'bank_entry', 'invoice_evidence', 'commission', 'product', 'difference'] as const),
  ...(['ticket', 'mail_text'] as const),
])

function toneOf(kind: AttentionKind): 'waiting' | 'failed' {
  return WAITING.has(kind) ? 'waiting' : 'failed'
}

const MOST_JOBS = 100

/** The pending work that the caller may see. */
export const attentionRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/attention',
    config: { access: 'admin', anyStaff: true },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Get the pending work of staff by kind, with its age and deadline',
      description: 'Shows only what the caller’s permissions cover.',
      response: { 200: Attention },
    },
    async handler({ db, caller, now }) {
      const found = await waitingFor(deps, db, caller, now)
      const order = (kind: AttentionKind) => ATTENTION_KINDS.indexOf(kind)
      const items = found
        .toSorted((a, b) => order(a.kind) - order(b.kind))
        .map((it) => ({ ...it, tone: toneOf(it.kind) }))
      return { items }
    },
  })
}

/** The kinds of work with pending items that the caller may see. */
async function waitingFor(
  { queue }: Pick<Deps, 'queue'>,
  db: Db,
  { tenantId, userId, permissions }: Pick<Caller, 'tenantId' | 'userId' | 'permissions'>,
  now: Instant,
): Promise<Counted[]> {
  const kinds = (Object.keys(PERMISSIONS) as CountedKind[]).filter((kind) =>
    holds(permissions, PERMISSIONS[kind]),
  )
  const [counted, troubled, tasks, tickets, jobs] = await Promise.all([
    countWaiting(db, tenantId, kinds),
    holds(permissions, 'services:read') ? countTroubled(db, tenantId, now) : [],
    holds(permissions, 'tasks:read') ? countOverdueTasks(db, tenantId, now).then((it) => [it]) : [],
    holds(permissions, 'tickets:read') ? waitingTickets() : [],
    holds(permissions, 'system:read') ? failedJobs() : [],
  ])
  const ofServices = troubled.map(({ kind, ...it }) => ({
    ...{ ...it, kind: OF_SERVICES[kind], deadlineAt: null },
  }))
  const ofTasks = tasks.map((it) => ({ ...it, kind: 'task_overdue' as const }))
  const ofTickets = tickets.map((it) => ({ ...it, kind: 'ticket' as const, deadlineAt: null }))
  const oldestAt = jobs.at(-1)?.failedAt ?? null
  const ofJobs = { kind: 'job' as const, count: jobs.length, oldestAt, deadlineAt: null }
  return [...counted, ...ofServices, ...ofTasks, ...ofTickets, ofJobs].filter((it) => it.count > 0)

  async function waitingTickets() {
    return [await countWaitingTickets(db, await staffOf(db, { tenantId, userId }))]
  }

  async function failedJobs() {
    const platform = await isDefaultTenant(db, tenantId)
    return queue.deadLetters({ tenantId, platform }, MOST_JOBS)
  }
}
