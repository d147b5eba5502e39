import type pg from 'pg'

/** Tables whose rows begin with their tenant, and the ids of which stay as they are. */
const COPIED = {
  invoices: 'billing.invoices',
  invoice_lines: 'billing.invoice_lines',
  invoice_taxes: 'billing.invoice_taxes',
  documents: 'billing.documents',
  periods: 'services.periods',
  transactions: 'ledger.transactions',
  postings: 'ledger.postings',
  notifications: 'notifications.notifications',
  mails: 'notifications.mails',
} as const

/** Which of a tenant's rows the run has written. */
const WRITTEN: Partial<Record<keyof typeof COPIED, string>> = {
  invoices: `kind = 'renewal'`,
  periods: `starts_at = '2030-02-15'`,
}

/**
 * Lays what the run wrote for one tenant ready as rows of another, so that writing them is all that is
 * left to do.
 */
export async function copyWhatRunWrote(
  client: pg.Client,
  tenantId: string,
  other: string,
): Promise<void> {
  await client.query('create schema ready')
  await client.query('grant usage on schema ready to moorage_app')
  for (const [name, table] of Object.entries(COPIED)) {
    const which = WRITTEN[name as keyof typeof COPIED] ?? 'true'
    await client.query(`create table ready.${name} as select * from ${table}
      where tenant_id = '${tenantId}' and ${which} order by ctid`)
    await client.query(`update ready.${name} set tenant_id = '${other}'`)
  }
  // Accounts of everybody have ids of their own in each tenant.
  await client.query(`
    update ready.postings set account_id = theirs.id
    from ledger.accounts ours join ledger.accounts theirs on theirs.code = ours.code
    where ours.tenant_id = '${tenantId}' and theirs.tenant_id = '${other}'
      and ours.id = ready.postings.account_id and theirs.id <> ours.id`)
  await client.query(`create table ready.jobs as select * from jobs.job
    where name in ('billing.make-document', 'notifications.send-mail')`)
  await client.query(`
    update ready.jobs set id = gen_random_uuid(), singleton_key = singleton_key || '-again',
      data = jsonb_set(data, '{payload,tenantId}', to_jsonb('${other}'::text))`)
  await client.query(`
    create table ready.services as
    select '${other}'::uuid as tenant_id, id, invoiced_to, next_invoice_at, renewal_failure,
      setup_fee_cents, current_period_start, current_period_end
    from services.services where tenant_id = '${tenantId}'`)
  await client.query(`
    create table ready.balances as
    select tenant_id, account_id, currency, sum(amount_cents) as amount_cents
    from ready.postings group by tenant_id, account_id, currency`)
  await client.query(`
    create table ready.series as select * from billing.invoice_series
    where tenant_id = '${tenantId}'`)
  await client.query(`update ready.series set tenant_id = '${other}'`)
  await client.query('grant select on all tables in schema ready to moorage_app')
}

const insertions = Object.entries({
  ...COPIED,
  jobs: 'jobs.job',
  series: 'billing.invoice_series',
}).map(([name, table]) => `${name}_in as (insert into ${table} select * from ready.${name})`)

/** All of it, in one statement. */
export const WRITE_AGAIN = `
  with ${insertions.join(',\n  ')},
  balances_in as (
    update ledger.balances as balance
    set balance_cents = balance.balance_cents + ready.amount_cents
    from ready.balances as ready
    where balance.tenant_id = ready.tenant_id and balance.account_id = ready.account_id
      and balance.currency = ready.currency
  )
  update services.services as service
  set invoiced_to = ready.invoiced_to, next_invoice_at = ready.next_invoice_at,
    renewal_failure = ready.renewal_failure, setup_fee_cents = ready.setup_fee_cents,
    current_period_start = ready.current_period_start, current_period_end = ready.current_period_end
  from ready.services as ready
  where service.tenant_id = ready.tenant_id and service.id = ready.id`
