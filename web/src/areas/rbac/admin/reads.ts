import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type Role = components['schemas']['Role']
export type Group = components['schemas']['Group']
export type Permission = components['schemas']['Permission']

export const roles = read(['roles'], (signal) => client.GET('/v1/admin/rbac/roles', { signal }))

export const permissions = read(['permissions'], (signal) =>
  client.GET('/v1/admin/rbac/permissions', { signal }),
)

/** The groups of the shop; there are only a few. */
export const groups = read(['groups'], (signal) =>
  client.GET('/v1/admin/rbac/groups', { params: { query: { limit: 100 } }, signal }),
)

/** People to choose from, by the beginning of their name or address. */
export const people = (search: string) =>
  read(['users', 'choice', search], (signal) =>
    client.GET('/v1/admin/users', {
      params: { query: { limit: 10, ...(search && { search }) } },
      signal,
    }),
  )

/** What a person may do, and through which roles and groups. */
export const staffAccess = (id: string) =>
  read(['staff-access', id], (signal) =>
    client.GET('/v1/admin/rbac/users/{id}/access', { params: { path: { id } }, signal }),
  )

/** Whether a list of permissions contains one: by name, by `area:*`, or by `*`. */
export function holds(rights: readonly string[], permission: string): boolean {
  const [area] = permission.split(':')
  return rights.some((it) => it === permission || it === `${area}:*` || it === '*')
}
