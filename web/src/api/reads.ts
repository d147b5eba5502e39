import { client, read } from './client.ts'

/** The reads that several areas share. Their keys begin with the kind of object that changes them. */
export const me = read(['me'], (signal) => client.GET('/v1/users/me', { signal }))

/** The first hundred services, including those that others share with the person; `/servers` pages through all. */
export const services = read(['services', 'first'], (signal) =>
  client.GET('/v1/services', { params: { query: { limit: 100 } }, signal }),
)

export const unread = read(['notifications', 'unread'], (signal) =>
  client.GET('/v1/notifications/unread-count', { signal }),
)

/** Counts and sums for badges and the start page: the number of servers, the amount due, the credit. */
export const summary = read(['summary'], (signal) => client.GET('/v1/users/me/summary', { signal }))

export const openInvoices = read(['invoices', 'open'], (signal) =>
  client.GET('/v1/billing/invoices', { params: { query: { status: 'open' } }, signal }),
)

/** The public facts of the shop: its languages, its payment methods, the version of the service. */
export const meta = read(['meta'], (signal) => client.GET('/v1/meta', { signal }))
