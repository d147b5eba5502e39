import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type AdminService = components['schemas']['AdminService']
export type TroubledService = components['schemas']['TroubledService']

export type Task = components['schemas']['Task']

export const task = (id: string) =>
  read(['admin', 'tasks', id], (signal) =>
    client.GET('/v1/admin/tasks/{id}', { params: { path: { id } }, signal }),
  )

export const service = (id: string) =>
  read(['admin', 'services', id], (signal) =>
    client.GET('/v1/admin/services/{id}', { params: { path: { id } }, signal }),
  )

export type Delivery = components['schemas']['ServiceDelivery']

export const deliveries = (id: string) =>
  read(['admin', 'services', id, 'deliveries'], (signal) =>
    client.GET('/v1/admin/services/{id}/deliveries', { params: { path: { id } }, signal }),
  )

export const report = (id: string) =>
  read(['admin', 'services', id, 'report'], (signal) =>
    client.GET('/v1/admin/services/{id}/report', { params: { path: { id } }, signal }),
  )

export const liveStatus = (id: string) =>
  read(['admin', 'services', id, 'status'], (signal) =>
    client.GET('/v1/admin/services/{id}/status', { params: { path: { id } }, signal }),
  )

export type Member = components['schemas']['ServiceMember']

export const members = (id: string) =>
  read(['admin', 'services', id, 'members'], (signal) =>
    client.GET('/v1/admin/services/{id}/members', { params: { path: { id } }, signal }),
  )

export const startup = (id: string) =>
  read(['admin', 'services', id, 'startup'], (signal) =>
    client.GET('/v1/admin/services/{id}/startup', { params: { path: { id } }, signal }),
  )

/** The options of a service, or those that it would have on another plan. */
export const serviceOptions = (id: string, planId?: string) =>
  read(['admin', 'services', id, 'options', ...(planId ? ['on', planId] : [])], (signal) => {
    const params = { path: { id }, query: { ...(planId && { planId }) } }
    return client.GET('/v1/admin/services/{id}/options', { params, signal })
  })

export const upgradeTargets = (id: string) =>
  read(['admin', 'services', id, 'upgrade-targets'], (signal) =>
    client.GET('/v1/admin/services/{id}/upgrade-targets', { params: { path: { id } }, signal }),
  )

export const attempts = (id: string) =>
  read(['admin', 'services', id, 'attempts'], (signal) =>
    client.GET('/v1/admin/services/{id}/attempts', { params: { path: { id } }, signal }),
  )

type Stuck = AdminService['provisioning'] | AdminService['transition'] | AdminService['upgrade']

/** The step in which a service is stuck: its last error, and the time of the next attempt. */
export function stuckOf(it: AdminService): NonNullable<Stuck> | null {
  const waiting = [it.provisioning, it.transition, it.upgrade]
  return waiting.find((work) => work?.lastError) ?? null
}

/** Whether the service needs attention: it failed, or one of its operations failed. */
export function isTroubled(it: AdminService): boolean {
  return it.status === 'failed' || stuckOf(it) !== null || it.renewalFailure !== null
}
