import type { Tag } from '#platform/http/openapi.ts'

/** Where the reports stand in the API reference. */
export const tags: Tag[] = ['Admin - Store & Invoices']

/** Who may read them. */
export const reading = { access: 'admin', permission: 'reports:read' } as const
