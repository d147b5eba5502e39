import type { Deps } from '#platform/deps.ts'
import { readCookie, writeCookie } from '#platform/pages/cookies.ts'
import type { Exchange } from '../visit.ts'

type Form = Readonly<Record<string, string>>
type Owner = { readonly tenantId: string; readonly userId: string }

const MAX_BYTES = 3000

/**
 * Stores what a customer typed at the checkout when their session had ended: in a sealed cookie of their
 * browser, for the same customer of the same shop. Without the password and the fields that identify the order.
 */
export function storeDraft(
  { secrets }: Pick<Deps, 'secrets'>,
  { request, reply }: Exchange,
  { account = '', password: _password, intent: _intent, seen: _seen, ...values }: Form,
): void {
  const owner = { tenantId: request.tenantId, userId: account }
  const sealed = secrets.seal(JSON.stringify(values), boundTo(owner))
  if (sealed.length <= MAX_BYTES) writeCookie(request, reply, 'draft', sealed)
}

/** Returns what `storeDraft` stored for this customer, and deletes it; null if there is none. */
export function useUpDraft(
  { secrets }: Pick<Deps, 'secrets'>,
  { request, reply }: Exchange,
  userId: string,
): Form | null {
  const sealed = readCookie(request, 'draft')
  if (sealed === null) return null
  try {
    const values = secrets.open(sealed, boundTo({ tenantId: request.tenantId, userId }))
    writeCookie(request, reply, 'draft', '')
    return JSON.parse(values)
  } catch {
    // The draft of another customer: it stays in the cookie for them.
    return null
  }
}

function boundTo({ tenantId, userId }: Owner): string {
  return `storefront checkout of ${userId} at ${tenantId}`
}
