import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type Role = components['schemas']['Role']
export type Permission = components['schemas']['Permission']

export const roles = read(['roles'], (signal) => client.GET('/v1/admin/rbac/roles', { signal }))

export const permissions = read(['permissions'], (signal) =>
  client.GET('/v1/admin/rbac/permissions', { signal }),
)

/** Whether a list of permissions contains one: by name, by `area:*`, or by `*`. */
export function holds(rights: readonly string[], permission: string): boolean {
  const [area] = permission.split(':')
  return rights.some((it) => it === permission || it === `${area}:*` || it === '*')
}
