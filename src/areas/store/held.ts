import { MINUTE_MS } from '#lib/time.ts'

/** How long stock and coupons wait for the money of an order. */
export const HELD_MS = 30 * MINUTE_MS
