import { Type } from 'typebox'
import { isAffiliate } from '#affiliation'
import { listOwed } from '#billing'
import { listCredits } from '#ledger'
import { Amount, Currency, Resource } from '#lib/schema.ts'
import { countUnread } from '#notifications'
import type { Routes } from '#platform/http/index.ts'
import { countByStatus } from '#services'

const Count = Type.Integer({ minimum: 0 })
const NONE = { pending: 0, provisioning: 0, active: 0, suspended: 0, failed: 0, ended: 0 }

const Summary = Resource('Summary', {
  unread: { ...Count, description: 'Unread notifications' },
  openInvoices: { ...Count, description: 'Invoices on which money is owed' },
  overdue: { ...Count, description: 'How many of them are overdue' },
  due: Type.Array(Type.Object({ currency: Currency, dueCents: Amount }), {
    description: 'What is owed on them, by currency',
  }),
  services: Type.Object(
    {
      ...{ pending: Count, provisioning: Count, active: Count },
      ...{ suspended: Count, failed: Count, ended: Count },
    },
    { description: 'How many services the person has, own and shared ones' },
  ),
  credit: Type.Array(Type.Object({ currency: Currency, balanceCents: Amount }), {
    description: 'Credit by currency; empty where there never was any',
  }),
  affiliate: Type.Boolean({ description: 'Whether `GET /v1/affiliation` has an answer' }),
})

/** What a start page and the badges of a navigation show, in one call. */
export const summaryRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/users/me/summary',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags: ['Auth & Users'],
      summary:
        'Get unread notifications, the amount due and running services, for badges and a start page',
      description: 'Unpaid orders without an invoice number are not owed, and are not counted.',
      response: { 200: Summary },
    },
    async handler({ caller, db, now }) {
      const [unread, owed, services, credit, affiliate] = await Promise.all([
        countUnread(db, caller),
        listOwed(db, caller, now),
        countByStatus(db, caller),
        listCredits(db, caller),
        isAffiliate(db, caller),
      ])
      return {
        unread,
        openInvoices: owed.reduce((sum, { invoices }) => sum + invoices, 0),
        overdue: owed.reduce((sum, { overdue }) => sum + overdue, 0),
        due: owed.map(({ currency, dueCents }) => ({ currency, dueCents })),
        services: { ...NONE, ...services },
        ...{ credit, affiliate },
      }
    },
  })
}
