import type { Area } from '#platform/area.ts'
import { system } from '#system'
import { tenants } from '#tenants'

/** The areas, lowest first: calls and foreign keys go down this list, events go up it. */
export const areas: readonly Area[] = [tenants, system]
