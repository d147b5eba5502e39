import { type Static, Type } from 'typebox'
import { Amount, Currency, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

const Count = Type.Integer({ minimum: 0 })

const Sales = Type.Object({
  currency: Currency,
  todayCents: { ...Amount, description: 'Sales less credit notes since midnight UTC, without tax' },
  monthCents: { ...Amount, description: 'The same since the first of the month' },
  mrrCents: { ...Amount, description: 'What services bring in per month' },
  customers: { ...Count, description: 'Who brings something in' },
  customersWon: { ...Count, description: 'Who began to this month, or did again' },
  customersLost: { ...Count, description: 'Who stopped this month' },
})

/** What staff see first. A part that the caller may not see is null. */
export const Dashboard = Resource('Dashboard', {
  figuresAt: { ...Timestamp, description: 'When sales, debts and services were added up' },
  sales: Nullable(Type.Array(Sales)),
  overdue: Nullable(
    Type.Array(Type.Object({ currency: Currency, dueCents: Amount, invoices: Count }), {
      description: 'What is past its due day on numbered invoices',
    }),
  ),
  orders: Nullable(
    Type.Object({
      unpaid: { ...Count, description: 'Orders that wait for their payment, a thousand at most' },
      inProgress: {
        ...Count,
        description: 'Paid orders that are not fulfilled, a thousand at most',
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
