import { isId } from '#lib/id.ts'
import { type Instant, later, MINUTE_MS, millis } from '#lib/time.ts'
import type { Secrets } from '#platform/secrets.ts'

/** The PDF with the e-invoice inside, the e-invoice as CII, or as UBL. */
export const LINKED_FORMATS = ['pdf', 'cii', 'ubl'] as const

/** A document that a link names: of an invoice or of a credit note. */
export type LinkedDocument = {
  readonly source: 'invoice' | 'credit_note'
  readonly id: string
  readonly format: (typeof LINKED_FORMATS)[number]
}

/** How long a link can be opened. */
export const LINK_MINUTES = 10

/** A token that opens a document of a tenant for anyone until `LINK_MINUTES` after `now`, and when it ends. */
export function linkToken(
  secrets: Pick<Secrets, 'seal'>,
  tenantId: string,
  { source, id, format }: LinkedDocument,
  now: Instant,
): { token: string; expiresAt: Instant } {
  const expiresAt = later(now, LINK_MINUTES * MINUTE_MS)
  const text = [source, id, format, millis(expiresAt)].join(' ')
  return { token: secrets.seal(text, boundTo(tenantId)), expiresAt }
}

/** The document of a token and whether it can still be opened; null unless the token was made for this tenant. */
export function documentOfToken(
  secrets: Pick<Secrets, 'open'>,
  tenantId: string,
  token: string,
  now: Instant,
): (LinkedDocument & { isOver: boolean }) | null {
  try {
    const [source, id = '', format = '', endsMs] = secrets.open(token, boundTo(tenantId)).split(' ')
    const known = LINKED_FORMATS.find((it) => it === format)
    if ((source !== 'invoice' && source !== 'credit_note') || !known || !isId(id)) return null
    return { source, id, format: known, isOver: Number(endsMs) <= millis(now) }
  } catch {
    return null
  }
}

function boundTo(tenantId: string): string {
  return `billing.document_link ${tenantId}`
}
