import { isId } from '#lib/id.ts'
import type { Secrets } from '#platform/secrets.ts'

/** One thing that a visitor wants. */
export type Selected = {
  readonly planId: string
  readonly quantity: number
  readonly name: string | null
  readonly environment: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string | number | boolean>>
  /** The location of the server; null if none was chosen. */
  readonly locationId: string | null
}

/** What a visitor without an account has put into the cart. */
export type Selection = { readonly items: readonly Selected[]; readonly coupons: readonly string[] }

export const EMPTY: Selection = { items: [], coupons: [] }

const MAX_ITEMS = 20
const MAX_BYTES = 3000

/** A selection as a cookie of one shop; null if it is larger than a cookie may be. */
export function sealSelection(
  secrets: Secrets,
  tenantId: string,
  { items, coupons }: Selection,
): string | null {
  if (items.length === 0 && coupons.length === 0) return ''
  if (items.length > MAX_ITEMS) return null
  const sealed = secrets.seal(JSON.stringify({ items, coupons }), boundTo(tenantId))
  return sealed.length > MAX_BYTES ? null : sealed
}

/** The selection in a cookie; an empty one if it is missing, damaged, or from another shop. */
export function openSelection(
  secrets: Secrets,
  tenantId: string,
  cookie: string | null,
): Selection {
  if (cookie === null) return EMPTY
  try {
    const { items, coupons } = JSON.parse(secrets.open(cookie, boundTo(tenantId))) as Selection
    const known = items.filter(({ planId }) => isId(planId))
    // A cookie from an earlier version has no locations and no options.
    const whole = known.map((it) => {
      return { ...it, locationId: it.locationId ?? null, options: it.options ?? {} }
    })
    return { items: whole, coupons }
  } catch {
    return EMPTY
  }
}

function boundTo(tenantId: string): string {
  return `storefront selection of ${tenantId}`
}
