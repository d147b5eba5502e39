import type { Deps } from '#platform/deps.ts'
import { readCookie, writeCookie } from '#platform/pages/cookies.ts'
import type { Exchange } from '../visit.ts'

type Form = Readonly<Record<string, string>>
type Owner = { readonly tenantId: string; readonly userId: string }

const MAX_BYTES = 3000

/**
 * Keeps what a customer typed at the checkout when their session had ended: in a sealed cookie of their
 * browser, for the same customer of the same shop. Without the password, and without what identifies the order.
 */
export function keepDraft(
  { secrets }: Pick<Deps, 'secrets'>,
  { request, reply }: Exchange,
  { account = '', password: _password, intent: _intent, seen: _seen, ...values }: Form,
): void {
  const owner = { tenantId: request.tenantId, userId: account }
  const sealed = secrets.seal(JSON.stringify(values), boundTo(owner))
  if (sealed.length <= MAX_BYTES) writeCookie(request, reply, 'draft', sealed)
}

/** What `keepDraft` kept for this customer, once; null without it. */
export function takeDraft(
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
    // It waits for the customer whose it is.
    return null
  }
}

function boundTo({ tenantId, userId }: Owner): string {
  return `storefront checkout of ${userId} at ${tenantId}`
}
