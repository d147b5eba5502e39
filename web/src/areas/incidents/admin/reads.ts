import type { components } from '@moorage/client'
import { client, read, readAll } from '../../../api/client.ts'

export type Incident = components['schemas']['Incident']
export type IncidentUpdate = components['schemas']['IncidentUpdate']

/** The first part of the keys of all reads of incidents by staff. */
const NAME = 'admin-incidents'
/** Customers' reads too: staff may own services. */
export const CHANGES = [[NAME], ['incidents']] as const

/** The lists of incidents. */
export const LISTS = [[NAME, 'list']] as const
export const listKey = (query: object) => [NAME, 'list', query] as const

const path = (id: string) => ({ path: { id } })

export const incident = (id: string) =>
  read([NAME, id], (signal) => client.GET('/v1/admin/incidents/{id}', { params: path(id), signal }))

/** How many customers own an affected service now. */
export const audience = (id: string) =>
  read([NAME, id, 'audience'], (signal) =>
    client.GET('/v1/admin/incidents/{id}/audience', { params: path(id), signal }),
  )

/** Everything that was said of an incident, newest first. */
export const updates = (id: string) =>
  readAll([NAME, id, 'updates'], (query, signal) =>
    client.GET('/v1/admin/incidents/{id}/updates', { params: { ...path(id), query }, signal }),
  )

/** The locations that can be affected. */
export const locations = readAll(['locations', 'names'], (query, signal) =>
  client.GET('/v1/admin/locations', { params: { query }, signal }),
)

/** The products that can be affected. */
export const products = readAll(['products', 'all-names'], (query, signal) =>
  client.GET('/v1/admin/products', { params: { query }, signal }),
)
