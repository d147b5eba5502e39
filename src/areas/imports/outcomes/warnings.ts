import { CompiledQuery } from 'kysely'
import type { Tx } from '#platform/database/index.ts'
import type { Resource } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'
import type { Settlement } from './settle.ts'
import { IS_PHONE, PASSWORD_FORM } from './totals.ts'

/** Something that an accountant should check although the row is imported. */
type Warning = {
  readonly code: string
  readonly resource: Resource
  readonly rows: string
  /** Only for systems with this settlement. */
  readonly of?: Settlement
}

/**
 * Whether an option, `item`, decided about servers in the other system: its module for the panel reads options with these
 * names, and those with the name of a variable of an egg.
 */
const NAMES_EFFECT = `(item.key in ('memory', 'disk', 'cpu', 'swap', 'databases', 'backups', 'allocations',
    'location_id')
  or item.key in (
    select regexp_replace(lower(variable ->> 'env'), '[^a-z0-9]+', '_', 'g')
    from panel.eggs as egg cross join lateral jsonb_array_elements(egg.variables) as variable
    where egg.tenant_id = $1))`

const WARNINGS: readonly Warning[] = [
  {
    code: 'total_mismatch',
    resource: 'invoices',
    rows: `select source_id from imports.staged_invoices
      where tenant_id = $1 and import_id = $2 and subtotal + tax + tax2 - credit <> total`,
  },
  {
    code: 'missing_invoice',
    resource: 'transactions',
    rows: `select item.source_id from imports.staged_transactions as item
      left join imports.staged_invoices as invoice
        on invoice.tenant_id = item.tenant_id and invoice.import_id = item.import_id
        and invoice.source_id = item.invoice
      where item.tenant_id = $1 and item.import_id = $2 and item.outcome is null
        and item.invoice > 0 and invoice.source_id is null`,
  },
  {
    code: 'credit_ledger_mismatch',
    resource: 'clients',
    rows: `select item.source_id from imports.staged_clients as item
      left join (
        select client, sum(amount) as amount from imports.staged_credit_entries
        where tenant_id = $1 and import_id = $2 group by client
      ) as history on history.client = item.source_id
      where item.tenant_id = $1 and item.import_id = $2
        and item.credit <> coalesce(history.amount, 0)`,
  },
  {
    code: 'credit_changed_here',
    resource: 'clients',
    rows: `select source_id from imports.staged_clients
      where tenant_id = $1 and import_id = $2 and credit_kept`,
  },
  {
    code: 'commission_spent_twice',
    resource: 'affiliates',
    rows: `select source_id from imports.staged_affiliates
      where tenant_id = $1 and import_id = $2 and overdrawn`,
  },
  {
    code: 'duplicate_invoice_number',
    resource: 'invoices',
    rows: `select item.source_id from imports.staged_invoices as item
      join (
        select number, min(row_number) as first from imports.staged_invoices
        where tenant_id = $1 and import_id = $2 and number <> ''
        group by number having count(*) > 1
      ) as numbered on numbered.number = item.number and numbered.first < item.row_number
      where item.tenant_id = $1 and item.import_id = $2`,
  },
  {
    code: 'no_due_date',
    resource: 'services',
    rows: `select source_id from imports.staged_services
      where tenant_id = $1 and import_id = $2 and outcome is null and coalesce(months, 0) > 0
        and state in ('active', 'suspended') and next_due_at is null`,
  },
  {
    code: 'mass_payment',
    resource: 'invoices',
    rows: `select distinct item.source_id from imports.staged_invoices as item
      join imports.staged_invoice_items as line on line.tenant_id = item.tenant_id
        and line.import_id = item.import_id and line.invoice = item.source_id
        and line.type = 'Invoice'
      where item.tenant_id = $1 and item.import_id = $2 and item.outcome is null`,
  },
  {
    code: 'settled_with_other_amounts',
    resource: 'invoices',
    rows: `select item.source_id from imports.staged_invoices as item
      join billing.invoices as record on record.tenant_id = item.tenant_id
        and record.id = item.target_id
      join imports.staged_currencies as currency on currency.tenant_id = item.tenant_id
        and currency.import_id = item.import_id and currency.code = record.currency
      where item.tenant_id = $1 and item.import_id = $2 and item.reason = 'updated'
        and item.state in ('paid', 'void')
        and (item.subtotal * 10 ^ currency.decimals, (item.tax + item.tax2) * 10 ^ currency.decimals)
          <> (record.net_cents * 100, record.tax_cents * 100)`,
  },
  {
    code: 'renews_here',
    resource: 'invoices',
    rows: `select distinct item.source_id from imports.staged_invoices as item
      join imports.staged_invoice_items as line on line.tenant_id = item.tenant_id
        and line.import_id = item.import_id and line.invoice = item.source_id
        and line.type = 'Hosting'
      join imports.staged_services as service on service.tenant_id = item.tenant_id
        and service.import_id = item.import_id and service.source_id = line.reference
      join services.periods as period on period.tenant_id = item.tenant_id
        and period.service_id = service.target_id
      where item.tenant_id = $1 and item.import_id = $2 and item.outcome is null
        and item.state in ('open', 'paid')`,
  },
  {
    code: 'subscription_elsewhere',
    resource: 'services',
    rows: `select source_id from imports.staged_services
      where tenant_id = $1 and import_id = $2 and (outcome is null or reason = 'updated')
        and subscription is not null and state in ('active', 'suspended')`,
  },
  {
    code: 'pending_order',
    resource: 'services',
    rows: `select source_id from imports.staged_services
      where tenant_id = $1 and import_id = $2 and outcome is null and state = 'pending'`,
  },
  {
    code: 'end_wanted',
    resource: 'services',
    rows: `select source_id from imports.staged_services
      where tenant_id = $1 and import_id = $2 and (outcome is null or reason = 'updated')
        and cancel is not null`,
  },
  {
    code: 'missing_category',
    resource: 'products',
    rows: `select item.source_id from imports.staged_products as item
      left join imports.staged_categories as category
        on category.tenant_id = item.tenant_id and category.import_id = item.import_id
        and category.source_id = item.category
      where item.tenant_id = $1 and item.import_id = $2 and item.outcome is null
        and category.source_id is null`,
  },
  {
    code: 'untaxed_product',
    resource: 'products',
    rows: `select source_id from imports.staged_products
      where tenant_id = $1 and import_id = $2 and outcome is null and taxable is false`,
  },
  {
    code: 'options_exceed_amount',
    resource: 'services',
    rows: `select source_id from imports.staged_services
      where tenant_id = $1 and import_id = $2 and (outcome is null or reason = 'updated')
        and options_exceed`,
  },
  {
    code: 'option_without_effect',
    resource: 'options',
    rows: `select source_id from imports.staged_options as item
      where tenant_id = $1 and import_id = $2 and outcome is null and not (${NAMES_EFFECT})`,
  },
  {
    code: 'effect_not_imported',
    resource: 'options',
    rows: `select source_id from imports.staged_options as item
      where tenant_id = $1 and import_id = $2 and outcome is null and ${NAMES_EFFECT}`,
  },
  {
    code: 'password_reset_required',
    resource: 'clients',
    rows: `select source_id from imports.staged_clients
      where tenant_id = $1 and import_id = $2 and outcome is null
        and ${PASSWORD_FORM} in ('none', 'empty', 'encrypted')`,
  },
  {
    code: 'second_factor_lost',
    resource: 'clients',
    rows: `select source_id from imports.staged_clients
      where tenant_id = $1 and import_id = $2 and outcome is null and second_factor`,
  },
  {
    code: 'phone_not_kept',
    resource: 'clients',
    rows: `select source_id from imports.staged_clients as item
      where tenant_id = $1 and import_id = $2 and outcome is null
        and btrim(phone) <> '' and not (${IS_PHONE})`,
  },
  {
    code: 'tax_exempt',
    resource: 'clients',
    rows: `select source_id from imports.staged_clients
      where tenant_id = $1 and import_id = $2 and tax_exempt and survivor is not null
        and outcome is distinct from 'failed'`,
  },
  {
    code: 'login_email_differs',
    resource: 'clients',
    rows: `select source_id from imports.staged_clients
      where tenant_id = $1 and import_id = $2 and outcome is null and password is not null
        and lower(btrim(email, E' \\t\\n\\r\\x0b\\f')) <> login`,
  },
  {
    code: 'user_without_client',
    resource: 'logins',
    rows: `select login.source_id from imports.staged_logins as login
      left join imports.staged_login_clients as link
        on link.tenant_id = login.tenant_id and link.import_id = login.import_id
        and link.login = login.source_id and link.owner
      where login.tenant_id = $1 and login.import_id = $2 and link.source_id is null`,
  },
  {
    code: 'paid_differs',
    resource: 'invoices',
    of: 'paymentsOfInvoices',
    rows: `select item.source_id from imports.staged_invoices as item
      left join (
        select invoice, sum(amount_in) as amount from imports.staged_transactions
        where tenant_id = $1 and import_id = $2 and coalesce(state, 'credit') = 'credit'
        group by invoice
      ) as money on money.invoice = item.source_id
      where item.tenant_id = $1 and item.import_id = $2 and item.outcome is null
        and item.state = 'paid' and item.subtotal + item.tax <> coalesce(money.amount, 0)`,
  },
  {
    code: 'tax_not_stored',
    resource: 'invoices',
    of: 'ratesOfInvoices',
    rows: `select item.source_id from imports.staged_invoices as item
      left join imports.staged_invoice_rates as kept
        on kept.tenant_id = item.tenant_id and kept.import_id = item.import_id
        and kept.invoice = item.source_id and kept.rate is not null
      where item.tenant_id = $1 and item.import_id = $2 and item.outcome is null
        and item.state = 'paid' and item.tax <> 0 and kept.invoice is null`,
  },
  {
    code: 'own_reward',
    resource: 'affiliates',
    of: 'currencyOfAffiliates',
    rows: `select source_id from imports.staged_affiliates
      where tenant_id = $1 and import_id = $2 and outcome is null and reward > 0`,
  },
  {
    code: 'rate_too_fine',
    resource: 'tax_rates',
    rows: `select source_id from imports.staged_tax_rates
      where tenant_id = $1 and import_id = $2 and outcome is null and rate % 10 <> 0`,
  },
]

/** The codes of all warnings about rows. */
export const WARNED: readonly string[] = WARNINGS.map(({ code }) => code)

/** Stores warnings about rows, with one statement for each kind of warning. */
export async function storeWarnings(
  tx: Tx,
  { tenantId, id }: ImportKey,
  {
    tableOf,
    settled = [],
  }: {
    readonly tableOf: (resource: Resource) => string | undefined
    readonly settled?: readonly Settlement[] | undefined
  },
): Promise<void> {
  for (const { code, resource, rows, of } of WARNINGS) {
    const table = tableOf(resource)
    if (!table || (of && !settled.includes(of))) continue
    const text = `insert into imports.notes
        (tenant_id, import_id, kind, code, source_table, source_id)
      select $1::uuid, $2::uuid, 'warning', $3, $4, found.source_id
      from (${rows}) as found order by found.source_id`
    await tx.executeQuery(CompiledQuery.raw(text, [tenantId, id, code, table]))
  }
}
