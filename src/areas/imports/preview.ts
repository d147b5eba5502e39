import type { Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'
import { cursorOf, idOf } from '#platform/page.ts'
import { type PreviewTerms, previewRenewals, type RenewalPreview } from '#services'
import { missingOf, sellerOf } from '#tenants'
import { choicesOf, findWritten, needsPriceDecision } from './cutover/decisions.ts'
import { countNotBilled, priceModeOf } from './rules.ts'
import type { PreviewDecisions, SetUp } from './schema.ts'
import type { ImportKey } from './staging/writer.ts'

type Wanted = PreviewDecisions & { readonly cursor?: string | undefined; readonly limit: number }

/** One page of the preview of renewals of an import. Throws 404, and 409 for an import that has written nothing. */
export async function previewPage(
  db: Db,
  key: ImportKey,
  { cursor = undefined, limit, ...decisions }: Wanted,
  now: Instant,
): Promise<{ data: RenewalPreview[]; nextCursor: string | null }> {
  const terms = await termsOf(db, key, decisions)
  const after = cursor === undefined ? null : idOf(cursor)
  const which = { tenantId: key.tenantId, importId: key.id, after }
  const found = await previewRenewals(db, { ...which, limit: limit + 1 }, terms, now)
  const data = found.slice(0, limit)
  const last = found.length > limit ? data.at(-1) : undefined
  return { data, nextCursor: last ? cursorOf(last.serviceId) : null }
}

const AT_ONCE = 100

/** The columns of the preview as a table. */
export const PREVIEW_COLUMNS = [
  ...(['serviceId', 'formerId', 'email', 'name', 'billed', 'whyNot', 'detail'] as const),
  ...(['periodStart', 'invoiceAt', 'invoices', 'currency', 'oldCents'] as const),
  ...(['newNetCents', 'newTotalCents', 'notices'] as const),
] as const

type TableRow = Omit<RenewalPreview, 'notices'> & { notices: string }

/** The whole preview as rows of a table, a page at a time. */
export async function* previewOf(
  db: Db,
  key: ImportKey,
  decisions: PreviewDecisions,
  now: Instant,
): AsyncGenerator<TableRow[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await previewPage(db, key, { ...decisions, cursor, limit: AT_ONCE }, now)
    yield page.data.map((row) => ({ ...row, notices: row.notices.join(' ') }))
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}

/** The terms of renewals of an import by decisions; those that are stored apply to the rest. Throws 404 and 409. */
export async function termsOf(
  db: Db,
  key: ImportKey,
  decisions: PreviewDecisions,
): Promise<PreviewTerms> {
  const row = await findWritten(db, key)
  const { priceMode: to } = await sellerOf(db, key.tenantId)
  const { price, runningPeriods = 'leave' } = { ...(await choicesOf(db, key)), ...decisions }
  return {
    from: priceModeOf(row),
    to,
    keepTotal: price === 'keep_total',
    runningPeriods,
  }
}

/** What must be set up before renewals of an import begin, or is not billed by them. */
export async function setUpFor(
  db: Db,
  key: ImportKey,
  decisions: PreviewDecisions,
  now: Instant,
): Promise<SetUp> {
  const { price } = { ...(await choicesOf(db, key)), ...decisions }
  const row = await findWritten(db, key)
  const needsPrice = await needsPriceDecision(db, key, row, now)
  const notBilled = countNotBilled(row)
  const missing = await missingOf(db, key.tenantId)
  const [counts] = await read<{ rates: number; gateways: number; unlinked: number }>(
    db,
    `select
       (select count(*) from store.tax_rates where tenant_id = $1 and archived_at is null)::integer
         as rates,
       (select count(*) from billing.gateways where tenant_id = $1 and enabled)::integer as gateways,
       (select count(*) from services.services where tenant_id = $1 and ended_at is null
         and activated_at is not null and node_id is null and imported ->> 'importId' = $2)::integer
         as unlinked`,
    [key.tenantId, key.id],
  )
  const { rates = 0, gateways = 0, unlinked = 0 } = counts ?? {}
  return [
    ...(missing.length > 0 ? [{ code: 'seller_incomplete' as const, count: missing.length }] : []),
    ...(needsPrice && price === undefined
      ? [{ code: 'price_mode_undecided' as const, count: 1 }]
      : []),
    ...(rates === 0 ? [{ code: 'no_tax_rates' as const, count: 1 }] : []),
    ...(gateways === 0 ? [{ code: 'no_gateway' as const, count: 1 }] : []),
    ...(unlinked > 0 ? [{ code: 'servers_not_linked' as const, count: unlinked }] : []),
    ...(notBilled > 0 ? [{ code: 'not_billed_here' as const, count: notBilled }] : []),
  ]
}
