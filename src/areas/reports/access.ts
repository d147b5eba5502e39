import type { Tag } from '#platform/http/openapi.ts'

/** The section of the API reference that contains the reports. */
export const tags: Tag[] = ['Admin - Store & Invoices']

/** Who may read them. */
export const reading = { access: 'admin', permission: 'reports:read' } as const
