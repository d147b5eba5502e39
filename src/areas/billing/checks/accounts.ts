import type { Cents } from '#lib/money.ts'
import { type Db, read } from '#platform/database/index.ts'

/** An account whose balance differs from its documents, payments and disputes. */
export type WrongAccount = {
  readonly code: string
  readonly currency: string
  readonly bookedCents: Cents
  readonly madeCents: Cents
}

/**
 * Accounts of revenue, tax, money at gateways, money in dispute and credit set aside that differ from what
 * was issued, paid, refunded, disputed and set aside: always none (R5.1, invariant 22).
 */
export function listWrongAccounts(db: Db, tenantId: string): Promise<WrongAccount[]> {
  return read(db, WRONG_ACCOUNTS, [tenantId])
}

const WRONG_ACCOUNTS = `
    with issued as (
      select id, currency, net_cents from billing.invoices
      where tenant_id = $1 and number is not null and kind <> 'top_up' and imported is null
    ), moved as (
      select 'revenue' as code, currency, -net_cents as cents from issued
      union all
      select 'revenue', currency, net_cents from billing.credit_notes where tenant_id = $1
      union all
      select 'tax:' || tax.country || ':' || tax.rate_basis_points, issued.currency, -tax.tax_cents
      from issued
      join billing.invoice_taxes as tax on tax.tenant_id = $1 and tax.invoice_id = issued.id
      where tax.rate_basis_points is not null
      union all
      select 'tax:' || line.country || ':' || line.rate_basis_points, note.currency, line.tax_cents
      from billing.credit_notes as note
      join billing.credit_note_lines as line
        on line.tenant_id = note.tenant_id and line.credit_note_id = note.id
      where note.tenant_id = $1 and line.rate_basis_points is not null
      union all
      select 'heldCredit:' || user_id, currency, -held_credit_cents from billing.invoices
      where tenant_id = $1 and held_credit_cents > 0
      union all
      select 'cash:' || gateway_id, currency, received_cents - fee_cents from billing.payments
      where tenant_id = $1
      union all
      select 'cash:' || gateway_id, currency, -amount_cents from billing.refunds
      where tenant_id = $1 and gateway_id is not null and state not in ('failed', 'canceled')
      union all
      select 'cash:' || gateway_id, currency, -amount_cents from billing.imported_refunds
      where tenant_id = $1 and gateway_id is not null
      union all
      select 'cash:' || gateway_id, currency, -held_cents - lost_cents - fee_cents
      from billing.disputes where tenant_id = $1
      union all
      select 'disputed', currency, held_cents from billing.disputes where tenant_id = $1
    ), made as (
      select code, currency, sum(cents) as cents from moved group by code, currency
    ), booked as (
      select account.code, balance.currency, balance.balance_cents as cents
      from ledger.accounts as account
      join ledger.balances as balance
        on balance.tenant_id = account.tenant_id and balance.account_id = account.id
      where account.tenant_id = $1
        and (account.code in ('revenue', 'disputed') or account.code ~ '^(tax|heldCredit|cash):')
    )
    select coalesce(booked.code, made.code) as code,
      coalesce(booked.currency, made.currency) as currency,
      coalesce(booked.cents, 0)::bigint as "bookedCents",
      coalesce(made.cents, 0)::bigint as "madeCents"
    from booked full join made on made.code = booked.code and made.currency = booked.currency
    where coalesce(booked.cents, 0) <> coalesce(made.cents, 0)
    order by 1, 2
  `
