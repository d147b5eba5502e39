import type { Hit } from './schema.ts'

export type { Hit } from './schema.ts'

/** What is searched, in whose shop. */
export type Wanted = { tenantId: string; q: string }

/** So many of a group are shown. */
export const MOST_HITS = 8

type Facts = Pick<Hit, 'id' | 'title' | 'createdAt'> & Partial<Hit>

/** A hit of which only what is known is said. */
export function hit(facts: Facts): Hit {
  return {
    ...{ detail: null, status: null, userId: null, customerName: null },
    ...{ amountCents: null, currency: null, exact: false },
    ...facts,
  }
}
