import { type Static, Type } from 'typebox'
import { Amount, Currency, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

const Count = Type.Integer({ minimum: 0 })

const Sales = Type.Object({
  currency: Currency,
  todayCents: { ...Amount, description: 'Sales less credit notes since midnight UTC, without tax' },
  monthCents: { ...Amount, description: 'The same since the start of the month' },
  mrrCents: { ...Amount, description: 'Monthly recurring revenue' },
  customers: { ...Count, description: 'Paying customers' },
  customersWon: { ...Count, description: 'Gained or regained this month' },
  customersLost: { ...Count, description: 'Lost this month' },
})

/** The dashboard of staff. Parts that the caller may not see are null. */
export const Dashboard = Resource('Dashboard', {
  figuresAt: { ...Timestamp, description: 'When the figures were computed' },
  sales: Nullable(Type.Array(Sales)),
  overdue: Nullable(
    Type.Array(Type.Object({ currency: Currency, dueCents: Amount, invoices: Count }), {
      description: 'Overdue amounts of numbered invoices',
    }),
  ),
  orders: Nullable(
    Type.Object({
      unpaid: { ...Count, description: 'Unpaid orders, at most 1000' },
      inProgress: {
        ...Count,
        description: 'Paid orders not yet fulfilled, at most 1000',
      },
    }),
  ),
  services: Nullable(
    Type.Object({
      ...{ pending: Count, provisioning: Count, active: Count },
      ...{ suspended: Count, failed: Count, ended: Count },
    }),
  ),
  nodes: Nullable(
    Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        status: OneOf(['unknown', 'ok', 'unreachable', 'unauthorized']),
        testedAt: Nullable(Timestamp),
        services: Count,
      }),
    ),
  ),
  lastImport: Nullable(Type.Object({ id: Id, status: Type.String(), createdAt: Timestamp })),
  health: Nullable(
    Type.Object({
      status: OneOf(['up', 'degraded', 'down']),
      failedJobs: Count,
    }),
  ),
})
export type Dashboard = Static<typeof Dashboard>
