import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type PanelNode = components['schemas']['Node']
export type ShopLocation = components['schemas']['Location']
export type Egg = components['schemas']['Egg']

/** The machines and locations of a panel, with the free capacity of each; requests it from the panel. */
export const room = (id: string) =>
  read(['nodes', id, 'room'], (signal) =>
    client.GET('/v1/admin/nodes/{id}/room', { params: { path: { id } }, signal }),
  )

/** The last comparison of a panel with the services. */
export const drift = (id: string) =>
  read(['drift', id], (signal) =>
    client.GET('/v1/admin/nodes/{id}/drift', {
      params: { path: { id }, query: { limit: 100 } },
      signal,
    }),
  )

export const node = (id: string) =>
  read(['nodes', id], (signal) =>
    client.GET('/v1/admin/nodes/{id}', { params: { path: { id } }, signal }),
  )

/** The locations that buyers choose from, for a select field. */
export const locations = read(['locations', 'choice'], (signal) =>
  client.GET('/v1/admin/locations', { params: { query: { limit: 100 } }, signal }),
)

/** The surcharges of a location. */
export const surcharges = (id: string) =>
  read(['locations', id, 'prices'], (signal) =>
    client.GET('/v1/admin/locations/{id}/prices', { params: { path: { id } }, signal }),
  )

/** The eggs of the catalogue, for a select field. */
export const eggs = read(['eggs', 'choice'], (signal) =>
  client.GET('/v1/admin/eggs', { params: { query: { limit: 100 } }, signal }),
)

export const egg = (id: string) =>
  read(['eggs', id], (signal) =>
    client.GET('/v1/admin/eggs/{id}', { params: { path: { id } }, signal }),
  )
