import type { Hit } from './schema.ts'

export type { Hit } from './schema.ts'

/** A search within a tenant. */
export type Wanted = { tenantId: string; q: string }

/** The most hits of a group. */
export const MOST_HITS = 8

type Facts = Pick<Hit, 'id' | 'title' | 'createdAt'> & Partial<Hit>

/** A hit without its unknown fields. */
export function hit(facts: Facts): Hit {
  return {
    ...{ detail: null, status: null, userId: null, customerName: null },
    ...{ amountCents: null, currency: null, exact: false },
    ...facts,
  }
}
