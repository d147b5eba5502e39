import { client, read } from './client.ts'

/** Queries that several areas of the administration share. */
export const person = (id: string) =>
  read(['admin', 'people', id], (signal) =>
    client.GET('/v1/admin/users/{id}', { params: { path: { id } }, signal }),
  )

export const order = (id: string) =>
  read(['admin', 'orders', id], (signal) =>
    client.GET('/v1/admin/orders/{id}', { params: { path: { id } }, signal }),
  )

/** The gateways of the shop; there are only a few. */
export const gateways = read(['gateways'], (signal) =>
  client.GET('/v1/admin/gateways', { params: { query: { limit: 100 } }, signal }),
)

/** The panel connections of the shop; there are only a few. */
export const nodes = read(['nodes'], (signal) =>
  client.GET('/v1/admin/nodes', { params: { query: { limit: 100 } }, signal }),
)

/** The requirements that the shop must meet before it can open. */
export const readiness = read(['admin', 'readiness'], (signal) =>
  client.GET('/v1/admin/readiness', { signal }),
)
