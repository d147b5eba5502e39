import type Stripe from 'stripe'
import { invalid, noSuch } from './errors.ts'

type Page = { limit?: number; starting_after?: string; ending_before?: string }
type Range = number | Stripe.RangeQueryParam | undefined
type Row = { id: string; created?: number }

export type List<T> = { object: 'list'; data: T[]; has_more: boolean; url: string }

/** A list that fits on one page. */
export function wholeList<T>(url: string, data: T[]): List<T> {
  return { object: 'list', data, has_more: false, url }
}

/** One page, newest first. 400 for a limit outside 1 to 100 or a cursor that is not in the list. */
export function listOf<T extends Row>(
  rows: Iterable<T>,
  { url, page, created }: { url: string; page: Page; created?: Range },
): List<T> {
  const newestFirst = [...rows].reverse().filter((row) => isWithin(row.created ?? 0, created))
  const { limit = 10, starting_after: after, ending_before: before } = page
  if (limit < 1 || limit > 100) {
    throw invalid('Invalid limit: must be between 1 and 100.', { param: 'limit' })
  }
  if (before !== undefined) {
    const newer = newestFirst.slice(0, indexOf(newestFirst, before, 'ending_before'))
    return { object: 'list', data: newer.slice(-limit), has_more: newer.length > limit, url }
  }
  const start = after === undefined ? 0 : indexOf(newestFirst, after, 'starting_after') + 1
  const rest = newestFirst.slice(start)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url }
}

function indexOf(rows: readonly Row[], id: string, param: string): number {
  const index = rows.findIndex((row) => row.id === id)
  if (index < 0) throw noSuch('object', id, param)
  return index
}

function isWithin(created: number, range: Range): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  const { gt, gte, lt, lte } = range
  return (
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte)
  )
}
