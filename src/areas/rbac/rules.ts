import { type Caller, holds } from '#lib/caller.ts'
import { conflict, forbidden, unprocessable } from '#lib/problem.ts'
import type { Area, Permission } from '#platform/area.ts'

/** Every permission: those the areas declare, and `area:*` for all of one area. */
export function catalogueOf(areas: readonly Area[]): Permission[] {
  const named = areas.flatMap(({ permissions = [] }) => permissions)
  const names = [...new Set(named.map(({ key }) => key.slice(0, key.indexOf(':'))))]
  const whole = names.map((name) => ({ key: `${name}:*`, description: `Everything in ${name}` }))
  return [...named, ...whole].sort((a, b) => a.key.localeCompare(b.key))
}

/** Throws 422 for permissions that no area declares. Only the system role has `*`. */
export function assertKnown(permissions: readonly string[], catalogue: readonly Permission[]) {
  const unknown = permissions.find((key) => !catalogue.some((it) => it.key === key))
  if (unknown === undefined) return
  throw unprocessable(`There is no permission ${unknown}.`, 'permission_unknown')
}

/**
 * Throws 403 unless the caller has all of these permissions: nobody may give permissions they lack, or take
 * any from people who have more.
 */
export function assertHolds(caller: Caller, permissions: Iterable<string>): void {
  for (const permission of permissions) {
    if (holds(caller.permissions, permission)) continue
    throw forbidden(`You do not hold ${permission} yourself.`, 'permission_missing')
  }
}

/** Throws 409 for the system role: it has every permission and cannot be changed. */
export function assertChangeable({ system }: { system: boolean }): void {
  if (system) throw conflict('This role belongs to the system.', 'system_role')
}
