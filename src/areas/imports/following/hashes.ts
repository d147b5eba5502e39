import { type RawBuilder, sql } from 'kysely'
import { fingerprintOfInvoice } from '#billing'
import type { ImportKey } from '../staging/writer.ts'

/** Resources whose records here may be changed by a newer dump. */
export const FOLLOWED = ['clients', 'services', 'invoices'] as const
export type Followed = (typeof FOLLOWED)[number]

/** The table of each of them in our database. */
export const RECORDS: Readonly<Record<Followed, string>> = {
  clients: 'users.users',
  services: 'services.services',
  invoices: 'billing.invoices',
}

export function isFollowed(resource: string): resource is Followed {
  return FOLLOWED.some((it) => it === resource)
}

/** The hash of columns; `also`, a text, changes it only if it is not null. */
function hashOf(alias: string, columns: readonly string[], also = 'null'): RawBuilder<unknown> {
  const values = columns.map((column) => (column.includes('.') ? column : `${alias}.${column}`))
  return sql.raw(`md5(row(${values.join(', ')})::text || coalesce(${also}, ''))`)
}

/** The hash of a row of the dump, of the columns that are followed; of `item`, and of invoices also `moved`. */
export const SOURCE_HASH: Readonly<Record<Followed, RawBuilder<unknown>>> = {
  clients: hashOf('item', [
    ...['name', 'company', 'tax_number', 'address_line1', 'address_line2', 'postcode', 'city'],
    ...['region', 'country'],
  ]),
  // Without options it is as imports of earlier versions have stored it.
  services: hashOf(
    'item',
    [
      ...['client', 'product', 'name', 'amount', 'first_amount', 'months', 'cycle', 'next_due_at'],
      ...['state', 'status', 'ended_at', 'quantity', 'cancel', 'coupons', 'overdue'],
      'subscription',
    ],
    'item.choices',
  ),
  invoices: hashOf('item', [
    ...['client', 'number', 'issued_at', 'due_at', 'paid_at', 'subtotal', 'credit', 'tax', 'tax2'],
    ...['total', 'state', 'status', 'note', 'moved.came', 'moved.went'],
  ]),
}

/** The hash of a record in our database, of the columns that anybody may have changed; of `record`. */
export const TARGET_HASH: Readonly<Record<Followed, RawBuilder<unknown>>> = {
  clients: hashOf('record', [
    ...['name', 'company', 'vat_number', 'country', 'address_line1', 'address_line2'],
    ...['address_postcode', 'address_city', 'address_region', 'address_country', 'deleted_at'],
  ]),
  // A name that was changed here is kept, and the rest is updated.
  services: hashOf(
    'record',
    [
      ...['user_id', 'product_id', 'plan_id', 'price_cents', 'value_cents', 'anchor_at'],
      ...['current_period_end', 'invoiced_to', 'next_invoice_at', 'node_id'],
      ...['server_id', 'suspended_at', 'suspend_reasons', 'end_wanted_at', 'ended_at'],
      ...['cancel_at_period_end', 'scheduled_plan_id'],
    ],
    "nullif(record.components::text, '[]')",
  ),
  invoices: fingerprintOfInvoice('record'),
}

/** The hash of a service as imports of earlier versions have stored it. */
export const FORMER_HASH_OF_SERVICES = hashOf('record', [
  ...['user_id', 'product_id', 'plan_id', 'name', 'price_cents', 'value_cents', 'anchor_at'],
  ...['current_period_end', 'invoiced_to', 'next_invoice_at', 'auto_renew', 'node_id'],
  ...['server_id', 'suspended_at', 'suspend_reasons', 'end_wanted_at', 'ended_at'],
  ...['cancel_at_period_end', 'scheduled_plan_id'],
])

/** The payments of an invoice in the dump: they are part of its hash. */
export function joinedMoney(resource: Followed, { tenantId, id }: ImportKey): RawBuilder<unknown> {
  if (resource !== 'invoices') return sql``
  return sql`
    left join (
      select invoice, sum(amount_in) as came, sum(amount_out) as went
      from imports.staged_transactions
      where tenant_id = ${tenantId} and import_id = ${id} and invoice > 0
        and outcome is distinct from 'failed'
      group by invoice
    ) as moved on moved.invoice = item.source_id`
}
