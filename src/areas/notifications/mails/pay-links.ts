import { sealId, unsealId } from '#lib/sealed.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { Kind } from '../texts/kinds.ts'

const PURPOSE = 'payment links'

/** Mails about an unpaid invoice. */
const ASKS_FOR_MONEY: ReadonlySet<string> = new Set<Kind>([
  ...(['invoice_sent', 'order_placed', 'renewal_invoice', 'payment_reminder'] as const),
  ...(['payment_failed', 'payment_action_required'] as const),
])

const INVOICE_PATH = /^\/invoices\/([0-9a-f-]{36})$/

/** The token of the payment page of one invoice: its sealed id. */
export function payTokenOf({ keysFor }: Pick<Secrets, 'keysFor'>, invoiceId: string): string {
  const [current] = keysFor(PURPOSE)
  if (!current) throw new Error('No secret key')
  return sealId(invoiceId, current.key)
}

/** The id of the invoice of a token; null for an invalid token. */
export function invoiceIdIn({ keysFor }: Pick<Secrets, 'keysFor'>, token: string): string | null {
  return unsealId(
    token,
    keysFor(PURPOSE).map(({ key }) => key),
  )
}

type Asked = { readonly kind: string; readonly to: string }

/** The payment page of the invoice that a mail asks to pay; null for other mails. `to` is the path of its button. */
export function payUrlFor(secrets: Secrets, { kind, to }: Asked, origin: string): string | null {
  const [, invoiceId] = (ASKS_FOR_MONEY.has(kind) && INVOICE_PATH.exec(to)) || []
  return invoiceId ? `${origin}/pay/${payTokenOf(secrets, invoiceId)}` : null
}
