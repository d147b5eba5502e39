import type { components } from '@moorage/client'
import { client, read } from '../../api/client.ts'

export type Ticket = components['schemas']['Ticket']
export type TicketWithPeople = components['schemas']['TicketWithPeople']
export type TicketMessage = components['schemas']['TicketMessage']

/** The first parts of the keys of the reads of tickets, to invalidate after a change. */
export const TICKETS = [['tickets'], ['ticket']] as const

export const offer = read(['tickets', 'offer'], (signal) =>
  client.GET('/v1/support/departments', { signal }),
)

export const ticket = (id: string) =>
  read(['ticket', id], (signal) =>
    client.GET('/v1/tickets/{id}', { params: { path: { id } }, signal }),
  )

/** Help articles that may answer a question. */
export const suggestions = (q: string, locale: string) =>
  read(['help', 'search', locale, q], (signal) =>
    client.GET('/v1/knowledge/search', {
      params: { query: { q, limit: 5 } },
      headers: { 'accept-language': locale },
      signal,
    }),
  )
