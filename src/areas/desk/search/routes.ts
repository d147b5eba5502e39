import { type Caller, holds } from '#lib/caller.ts'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import { findCoupons, findCreditNotes, findInvoices, findOrders } from './documents.ts'
import type { Hit, Wanted } from './hits.ts'
import { findImportedOrders, findImportedPayments } from './imported.ts'
import { findAttempts, findDisputes, findPayments, findRefunds } from './payments.ts'
import { findCompanies, findPeople, findServices } from './people.ts'
import { type HitKind, SearchQuery, SearchResults } from './schema.ts'
import { findTickets } from './tickets.ts'

type Group = {
  kind: HitKind
  permission: string
  find: (db: Db, wanted: Wanted, caller: Caller) => Promise<Hit[]>
}

const GROUPS: readonly Group[] = [
  { kind: 'person', permission: 'users:read', find: findPeople },
  { kind: 'company', permission: 'users:read', find: findCompanies },
  { kind: 'service', permission: 'services:read', find: findServices },
  { kind: 'invoice', permission: 'invoices:read', find: findInvoices },
  { kind: 'order', permission: 'orders:read', find: findOrders },
  { kind: 'payment', permission: 'invoices:read', find: findPayments },
  { kind: 'payment_attempt', permission: 'invoices:read', find: findAttempts },
  { kind: 'refund', permission: 'invoices:read', find: findRefunds },
  { kind: 'dispute', permission: 'invoices:read', find: findDisputes },
  { kind: 'credit_note', permission: 'invoices:read', find: findCreditNotes },
  { kind: 'imported_payment', permission: 'invoices:read', find: findImportedPayments },
  { kind: 'imported_order', permission: 'orders:read', find: findImportedOrders },
  { kind: 'coupon', permission: 'store:read', find: findCoupons },
  { kind: 'ticket', permission: 'tickets:read', find: findTickets },
]

/** The search of staff over all areas. */
export const searchRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/search',
    config: { access: 'admin', anyStaff: true },
    schema: {
      tags: ['Admin - Operations'],
      summary:
        'Find people, services, documents, payments and tickets by name, number, address or id',
      description: 'Finds only what the caller’s permissions cover.',
      querystring: SearchQuery,
      response: { 200: SearchResults },
    },
    async handler({ db, tenantId, caller, query }) {
      const q = query.q?.trim()
      if (!q) return { jump: null, groups: [] }
      const mine = GROUPS.filter(({ permission }) => holds(caller.permissions, permission))
      const found = await Promise.all(
        mine.map(async ({ kind, find }) => ({
          kind,
          hits: await find(db, { tenantId, q }, caller),
        })),
      )
      const groups = found.filter(({ hits }) => hits.length > 0)
      const exact = groups.filter(({ hits }) => hits.some((it) => it.exact))
      const others = groups.filter((it) => !exact.includes(it))
      const [first] = exact
      const target = first?.hits.find((it) => it.exact)
      return {
        jump: first && target ? { kind: first.kind, id: target.id } : null,
        groups: [...exact, ...others],
      }
    },
  })
}
