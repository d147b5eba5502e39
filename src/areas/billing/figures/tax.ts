import type { BasisPoints, Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'

/** A span of time, `to` excluded, cut into days, months or quarters of UTC. */
type Span = {
  readonly tenantId: string
  readonly from: Instant
  readonly to: Instant
  readonly interval: 'day' | 'month' | 'quarter'
}

/** Tax of one country, category and rate in one interval of a span. */
export type TaxFigures = {
  readonly startOn: string
  readonly currency: string
  readonly country: string
  readonly category: 'S' | 'AE' | 'O' | 'E'
  readonly rateBasisPoints: BasisPoints | null
  readonly invoicedNetCents: Cents
  readonly invoicedTaxCents: Cents
  readonly creditedNetCents: Cents
  readonly creditedTaxCents: Cents
  readonly netCents: Cents
  readonly taxCents: Cents
}

/** Tax groups of the documents issued in a span: invoices minus credit notes. */
export function listTaxes(db: Db, { tenantId, from, to, interval }: Span): Promise<TaxFigures[]> {
  return read(db, TAXES, [tenantId, from, to, interval])
}

// Buying credit is not a sale: no tax arises on it (R2.9).
const DOCUMENTS = `
  select invoice.issued_at, invoice.issued_at as sold_at, invoice.currency, invoice.seller,
    tax.country, tax.category, tax.rate_basis_points, tax.net_cents, tax.tax_cents,
    0::bigint as credited_net_cents, 0::bigint as credited_tax_cents
  from billing.invoices as invoice
  join billing.invoice_taxes as tax
    on tax.tenant_id = invoice.tenant_id and tax.invoice_id = invoice.id
  where invoice.tenant_id = $1 and invoice.number is not null and invoice.kind <> 'top_up'
    and invoice.issued_at >= $2 and invoice.issued_at < $3
  union all
  select note.issued_at, note.invoice_issued_at, note.currency, note.seller,
    line.country, line.category, line.rate_basis_points, 0, 0, line.net_cents, line.tax_cents
  from billing.credit_notes as note
  join billing.credit_note_lines as line
    on line.tenant_id = note.tenant_id and line.credit_note_id = note.id
  where note.tenant_id = $1 and note.issued_at >= $2 and note.issued_at < $3
`

const TAXES = `
  select to_char(date_trunc($4, issued_at at time zone 'UTC'), 'YYYY-MM-DD') as "startOn",
    currency, country, category, rate_basis_points as "rateBasisPoints",
    sum(net_cents)::bigint as "invoicedNetCents", sum(tax_cents)::bigint as "invoicedTaxCents",
    sum(credited_net_cents)::bigint as "creditedNetCents",
    sum(credited_tax_cents)::bigint as "creditedTaxCents",
    (sum(net_cents) - sum(credited_net_cents))::bigint as "netCents",
    (sum(tax_cents) - sum(credited_tax_cents))::bigint as "taxCents"
  from (${DOCUMENTS}) as document
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
`

/**
 * One line of a One-Stop-Shop return: `soldOn` is the quarter of a corrected sale, otherwise null.
 */
export type OssFigures = {
  readonly currency: string
  readonly country: string
  readonly rateBasisPoints: BasisPoints
  readonly soldOn: string | null
  readonly netCents: Cents
  readonly taxCents: Cents
}

/**
 * Taxed sales of a quarter to the given member states, without the seller's own, minus credit notes
 * over sales of the same quarter. Credit notes over sales of earlier quarters are separate negative
 * lines, by the quarter of the sale.
 */
export function listOssSales(
  db: Db,
  { tenantId, from, to, countries }: Omit<Span, 'interval'> & { countries: readonly string[] },
): Promise<OssFigures[]> {
  return read(db, OSS, [tenantId, from, to, [...countries]])
}

const OSS = `
  select currency, country, rate_basis_points as "rateBasisPoints",
    case when sold_at < $2
      then to_char(date_trunc('quarter', sold_at at time zone 'UTC'), 'YYYY-MM-DD') end as "soldOn",
    (sum(net_cents) - sum(credited_net_cents))::bigint as "netCents",
    (sum(tax_cents) - sum(credited_tax_cents))::bigint as "taxCents"
  from (${DOCUMENTS}) as document
  where category = 'S' and country = any($4::text[])
    and country is distinct from seller->>'country'
  group by 1, 2, 3, 4
  order by 4 nulls first, 2, 3, 1
`
