import { MINUTE_MS } from '#lib/time.ts'

/** How long stock, coupons and places on panels wait for the money of an order. */
export const HELD_MS = 30 * MINUTE_MS
