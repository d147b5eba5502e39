import type { components } from '@moorage/client'
import { client, read, readJson } from '../../../api/client.ts'

export type Person = components['schemas']['User']

export const servicesOf = (userId: string) =>
  read(['admin', 'services', 'of', userId], (signal) =>
    client.GET('/v1/admin/services', { params: { query: { userId, limit: 20 } }, signal }),
  )

export const invoicesOf = (userId: string) =>
  readJson(['admin', 'invoices', 'of', userId], (signal) =>
    client.GET('/v1/admin/invoices', { params: { query: { userId, limit: 6 } }, signal }),
  )

/** Debt and credit of the person, by currency. */
export const accountOf = (id: string) =>
  readJson(['admin', 'statement', id], (signal) =>
    client.GET('/v1/admin/reports/users/{id}/statement', {
      params: { path: { id }, query: { limit: 1 } },
      signal,
    }),
  )

/** The saved payment methods of the person. */
export const methodsOf = (id: string) =>
  read(['admin', 'people', id, 'methods'], (signal) =>
    client.GET('/v1/admin/users/{id}/payment-methods', { params: { path: { id } }, signal }),
  )

export const allowanceOf = (id: string) =>
  read(['admin', 'allowance', id], (signal) =>
    client.GET('/v1/admin/users/{id}/allowance', { params: { path: { id } }, signal }),
  )

export const factsKey = (id: string) => ['admin', 'people', id, 'facts']

/** Facts about the person from the system that they were imported from. */
export const factsOf = (id: string) =>
  read(factsKey(id), (signal) =>
    client.GET('/v1/admin/users/{id}/facts', { params: { path: { id } }, signal }),
  )

/** How the person signs in: sessions, keys, connections and second factors. */
export const accessOf = (id: string) =>
  read(['admin', 'people', id, 'access'], (signal) =>
    client.GET('/v1/admin/users/{id}/access', { params: { path: { id } }, signal }),
  )

const FEW = 10

/** The newest payments, credit and orders of the person in the system that they were imported from. */
export const importedPaymentsOf = (userId: string) =>
  readJson(['admin', 'imported-payments', 'of', userId], (signal) =>
    client.GET('/v1/admin/imported-payments', {
      params: { query: { userId, limit: FEW } },
      signal,
    }),
  )

export const importedCreditOf = (userId: string) =>
  readJson(['admin', 'imported-credit', 'of', userId], (signal) =>
    client.GET('/v1/admin/imported-credit', { params: { query: { userId, limit: FEW } }, signal }),
  )

export const importedOrdersOf = (userId: string) =>
  readJson(['admin', 'imported-orders', 'of', userId], (signal) =>
    client.GET('/v1/admin/imported-orders', { params: { query: { userId, limit: FEW } }, signal }),
  )
