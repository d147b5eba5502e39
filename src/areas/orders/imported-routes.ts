import { Type } from 'typebox'
import {
  Amount,
  Currency,
  Id,
  Line,
  Nullable,
  Page,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { listImportedOrders } from './imported.ts'

const ImportedOrderSchema = Resource('ImportedOrder', {
  id: Id,
  userId: Id,
  customerName: Type.String(),
  customerEmail: Type.String(),
  importId: Id,
  system: Nullable(Type.String({ description: 'The system it comes from' })),
  sourceId: Nullable(Type.Integer({ description: 'Its id there' })),
  number: Type.String(),
  status: Type.String({ description: 'The status in that system' }),
  amountCents: Amount,
  currency: Currency,
  invoiceId: Nullable(Id),
  invoiceNumber: Nullable(Type.String()),
  orderedAt: Nullable(Timestamp),
})

const ImportedOrderQuery = Type.Object({
  ...PageQuery.properties,
  userId: Type.Optional(Id),
  q: Type.Optional({ ...Line(200), description: 'The number or id in the other system' }),
})

/** Orders that were placed in the previous system, for staff. */
export const importedOrderRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/imported-orders',
    config: { access: 'admin', permission: 'orders:read' },
    schema: {
      tags: ['Admin - Store & Invoices'],
      summary: 'List imported orders, newest first',
      querystring: ImportedOrderQuery,
      response: { 200: Page(ImportedOrderSchema) },
    },
    handler: ({ db, tenantId, query }) => listImportedOrders(db, tenantId, query),
  })
}
