import type { components } from '@moorage/client'
import { client, read, readAll } from '../../../api/client.ts'

export type AdminTicket = components['schemas']['AdminTicket']
export type TicketDetails = components['schemas']['AdminTicketDetails']
export type Message = components['schemas']['AdminTicketMessage']

/** The first part of the keys of all reads of tickets: a notification of a ticket makes them out of date. */
export const NAME = 'admin-tickets'
/** The list is not among them: it shows that it has changed, and moves only when its reader wants it. */
const LIST = 'admin-tickets-list'
export const CHANGES = [[NAME], [LIST]] as const

export const listKeys = (query: object) => ({
  list: [LIST, query],
  news: [NAME, 'news', query],
})
export const messagesKey = (id: string) => [NAME, id, 'messages'] as const

export const counts = read([NAME, 'counts'], (signal) =>
  client.GET('/v1/admin/tickets/counts', { signal }),
)

export const ticket = (id: string) =>
  read([NAME, id], (signal) =>
    client.GET('/v1/admin/tickets/{id}', { params: { path: { id } }, signal }),
  )

export const staff = (departmentId: string) =>
  readAll([NAME, 'staff', departmentId], (query, signal) =>
    client.GET('/v1/admin/departments/{id}/staff', {
      params: { path: { id: departmentId }, query },
      signal,
    }),
  )

/** The other tickets of a customer. */
export const ticketsOf = (userId: string) =>
  read([NAME, 'of', userId], (signal) =>
    client.GET('/v1/admin/tickets', {
      params: { query: { view: 'all', userId, limit: 6 } },
      signal,
    }),
  )

export const departments = read([NAME, 'departments'], (signal) =>
  client.GET('/v1/admin/departments', { signal }),
)
