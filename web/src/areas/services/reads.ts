import type { components } from '@moorage/client'
import { client, read } from '../../api/client.ts'

export type Service = components['schemas']['Service']
export type ServiceDetails = components['schemas']['ServiceDetails']
export type Live = components['schemas']['ServiceLiveStatus']['live']
export type Permission = Service['permissions'][number]

const path = (id: string) => ({ params: { path: { id } } })

export const service = (id: string) =>
  read(['service', id], (signal) => client.GET('/v1/services/{id}', { ...path(id), signal }))

export const handover = (id: string) =>
  read(['service', id, 'handover'], (signal) =>
    client.GET('/v1/services/{id}/handover', { ...path(id), signal }),
  )

/** The live status of a server from the panel. */
export const liveStatus = (id: string) =>
  read(['service', id, 'status'], (signal) =>
    client.GET('/v1/services/{id}/status', { ...path(id), signal }),
  )

/** Likewise for up to 25 servers at once. */
export const liveStatuses = (ids: readonly string[]) =>
  read(['services', 'status', ids], (signal) =>
    client.GET('/v1/services/status', { params: { query: { ids: ids.join(',') } }, signal }),
  )

export const members = (id: string) =>
  read(['service', id, 'members'], (signal) =>
    client.GET('/v1/services/{id}/members', { ...path(id), signal }),
  )

export const invitations = (id: string) =>
  read(['service', id, 'invitations'], (signal) =>
    client.GET('/v1/services/{id}/invitations', { ...path(id), signal }),
  )

export const startup = (id: string) =>
  read(['service', id, 'startup'], (signal) =>
    client.GET('/v1/services/{id}/startup', { ...path(id), signal }),
  )

export const connection = (id: string) =>
  read(['service', id, 'connection'], (signal) =>
    client.GET('/v1/services/{id}/connection', { ...path(id), signal }),
  )

/** The options of a service, or those that it would have on another plan. */
export const serviceOptions = (id: string, planId?: string) =>
  read(['service', id, 'options', ...(planId ? ['on', planId] : [])], (signal) => {
    const params = { path: { id }, query: { ...(planId && { planId }) } }
    return client.GET('/v1/services/{id}/options', { params, signal })
  })

export const upgradeTargets = (id: string) =>
  read(['service', id, 'upgrade-targets'], (signal) =>
    client.GET('/v1/services/{id}/upgrade-targets', { ...path(id), signal }),
  )
