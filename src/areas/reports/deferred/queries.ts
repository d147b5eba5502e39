import type { Cents } from '#lib/money.ts'
import type { Day, Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'

/** Invoiced revenue for a time after `at`, by the part of that time it belongs to. */
export type DeferredPart = {
  readonly startOn: Day
  readonly currency: string
  readonly recognizedCents: Cents
}

/**
 * How the revenue of documents issued up to an instant will be earned after it: the net price of each line,
 * less its share of credit notes, spread evenly over the seconds of its period.
 */
export function listDeferred(
  db: Db,
  which: { readonly tenantId: string; readonly at: Instant },
  interval: 'month' | 'quarter',
): Promise<DeferredPart[]> {
  return read(db, DEFERRED, [which.tenantId, which.at, interval])
}

// The longest cycle of the plans of the tenant, and a month.
const LONGEST = `(
  select coalesce(max(make_interval(
    years => case interval when 'year' then interval_count else 0 end,
    months => case interval when 'month' then interval_count else 0 end,
    weeks => case interval when 'week' then interval_count else 0 end)), '0') + '1 month'
  from store.plans where tenant_id = $1)`

// Only invoices that may have revenue left: those with a line that ends later, and those of a checkout, whose line
// was written before its period was known and lasts a cycle of the ordered plan. A period that begins with
// the delivery may begin much later than its invoice.
const OPEN = `
  select line.invoice_id as id
  from billing.invoice_lines as line
  where line.tenant_id = $1 and line.period_end > $2
  union
  select invoice.id
  from billing.invoices as invoice
  where invoice.tenant_id = $1 and invoice.kind = 'checkout' and invoice.number is not null
    and invoice.issued_at <= $2
    and invoice.issued_at > $2::timestamptz - ${LONGEST}
  union
  select service.invoice_id
  from services.services as service
  where service.tenant_id = $1 and service.period_starts = 'delivery'
    and service.invoice_id is not null
    and (service.anchor_at > $2::timestamptz - ${LONGEST}
      or service.anchor_at is null and service.ended_at is null)
`

// A credit note reduces every line of its invoice by the same share; computed by running sums, so that what is
// left of the lines adds up to what is left of the invoice.
const LINES = `
  select line.invoice_id, line.service_id, line.product_id, line.quantity, line.total_cents, line.period_start,
    line.period_end, invoice.kind, invoice.reference, invoice.issued_at, invoice.currency,
    coalesce(round(sum(line.net_cents) over upto * left_over.cents / nullif(invoice.net_cents, 0))
      - round((sum(line.net_cents) over upto - line.net_cents) * left_over.cents
              / nullif(invoice.net_cents, 0)), line.net_cents) as cents
  from (${OPEN}) as open
  join billing.invoices as invoice on invoice.tenant_id = $1 and invoice.id = open.id
  join billing.invoice_lines as line
    on line.tenant_id = invoice.tenant_id and line.invoice_id = invoice.id
  cross join lateral (
    select invoice.net_cents - coalesce(sum(note.net_cents), 0) as cents
    from billing.credit_notes as note
    where note.tenant_id = invoice.tenant_id and note.invoice_id = invoice.id
      and note.issued_at <= $2
  ) as left_over
  where invoice.number is not null and invoice.kind <> 'top_up' and invoice.issued_at <= $2
  window upto as (partition by line.invoice_id order by line.position)
`

const PERIODS = `
  select line.currency, line.cents, 
    coalesce(line.period_start, begun.starts, line.issued_at) as starts,
    coalesce(line.period_end, begun.ends, coalesce(begun.starts, line.issued_at) + ordered.length)
      as ends
  from (${LINES}) as line
  left join lateral (
    select coalesce(period.starts_at, greatest(line.issued_at, $2::timestamptz)) as starts,
      period.ends_at as ends
    from services.services as service
    left join services.periods as period
      on period.tenant_id = service.tenant_id and period.service_id = service.id
      and period.invoice_id = line.invoice_id and period.voided_at is null and not period.is_debt
    where service.tenant_id = $1 and service.id = line.service_id
      and service.period_starts = 'delivery' and line.period_end is null
    order by period.starts_at
    limit 1
  ) as begun on true
  left join lateral (
    select case plan.interval
        when 'year' then make_interval(years => plan.interval_count)
        when 'month' then make_interval(months => plan.interval_count)
        when 'week' then make_interval(days => 7 * plan.interval_count)
      end as length
    from orders.order_items as item
    join store.plans as plan on plan.tenant_id = item.tenant_id and plan.id = item.plan_id
    where line.kind = 'checkout' and line.period_end is null
      and item.tenant_id = $1 and item.order_id = line.reference
      and item.product_id = line.product_id
    order by item.quantity = line.quantity and item.total_cents = line.total_cents desc, item.id
    limit 1
  ) as ordered on true
`

// What is earned of a line up to a time, rounded once; a part is the difference of two such amounts.
const DEFERRED = `
  select to_char(part.starts, 'YYYY-MM-DD') as "startOn", line.currency,
    sum(
      round(line.cents * extract(epoch from
              least(line.ends, (part.starts + part.length) at time zone 'UTC') - line.starts)
            / extract(epoch from line.ends - line.starts))
      - round(line.cents * extract(epoch from
              greatest(line.starts, $2::timestamptz, part.starts at time zone 'UTC') - line.starts)
            / extract(epoch from line.ends - line.starts))
    )::bigint as "recognizedCents"
  from (${PERIODS}) as line
  cross join lateral (
    select starts, case $3 when 'quarter' then interval '3 months' else interval '1 month' end
      as length
    from generate_series(
      date_trunc($3, greatest(line.starts, $2::timestamptz) at time zone 'UTC'),
      (line.ends at time zone 'UTC') - interval '1 millisecond',
      case $3 when 'quarter' then interval '3 months' else interval '1 month' end) as starts
  ) as part
  where line.ends > $2 and line.ends > line.starts
  group by part.starts, line.currency
  order by part.starts, line.currency
`
