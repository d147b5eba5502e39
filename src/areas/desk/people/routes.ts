import { holds } from '#lib/caller.ts'
import type { Cents } from '#lib/money.ts'
import { forbidden } from '#lib/problem.ts'
import { CountedPage } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { userViewsOf } from '#users'
import { listCustomers, listFacts, listSums } from './queries.ts'
import { Customer, CustomerQuery } from './schema.ts'

/** The list of people, with their services, invoices and credit from other areas. */
export const customerRoutes: Routes = (app, deps) => {
  const views = userViewsOf(deps)

  app.route({
    method: 'GET',
    url: '/v1/admin/users',
    config: { access: 'admin', permission: 'users:read' },
    schema: {
      tags: ['Auth & Users'],
      summary: 'List people, newest first',
      description: 'Parts for which the caller lacks the permission are null or empty',
      querystring: CustomerQuery,
      response: { 200: CountedPage(Customer) },
    },
    async handler({ tenantId, caller: { permissions }, query, db, now }) {
      const mayServices = holds(permissions, 'services:read')
      const mayMoney = holds(permissions, 'invoices:read')
      const maySignIns = holds(permissions, 'users:write')
      if (query.withServices !== undefined && !mayServices) {
        throw forbidden('`withServices` needs the permission services:read.', 'permission_missing')
      }
      const page = await listCustomers(db, tenantId, query)
      const ids = page.data.map(({ id }) => id)
      const [people, facts, { credit, due, monthly }] = await Promise.all([
        views.many(db, tenantId, page.data),
        listFacts(db, tenantId, ids, now),
        mayMoney ? listSums(db, tenantId, ids) : NO_SUMS,
      ])
      const known = new Map(facts.map((it) => [it.userId, it]))
      const data = people.map((person) => {
        const fact = known.get(person.id)
        const own = ofPerson(person.id)
        return {
          ...person,
          credit: own(credit).map(({ currency, cents }) => ({ currency, balanceCents: cents })),
          due: own(due).map(({ currency, cents }) => ({ currency, dueCents: cents })),
          monthly: own(monthly).map(({ currency, cents }) => ({ currency, monthlyCents: cents })),
          activeServices: mayServices ? (fact?.activeServices ?? 0) : null,
          needsAttention: Boolean((mayServices && fact?.failed) || (mayMoney && fact?.overdue)),
          lastSeenAt: maySignIns ? (fact?.lastSeenAt ?? null) : null,
        }
      })
      return { ...page, data }
    },
  })
}

type Sum = { userId: string; currency: string; cents: Cents }

const NO_SUMS = { credit: [], due: [], monthly: [] }

const ofPerson = (userId: string) => (sums: readonly Sum[]) =>
  sums.filter((it) => it.userId === userId)
