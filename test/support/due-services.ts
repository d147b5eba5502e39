import { instant } from '#lib/time.ts'

/** What runs plain SQL as somebody who sees every tenant. */
type Runner = { query(text: string, values?: unknown[]): Promise<unknown> }

/** When the services are due; everything else about them is counted from here. */
export const NOW = instant('2030-02-08T12:00:00.000Z')
const PER_CUSTOMER = 4

const SELLER = {
  ...{
    name: 'Bench hosting',
    line1: '1 rue du Port',
    line2: null,
    postcode: '75001',
    city: 'Paris',
  },
  ...{ country: 'FR', email: null, vatNumber: 'FR40303265045', registerNumber: '303265045' },
  ...{ iban: null, bic: null, currency: 'EUR', priceMode: 'exclusive' },
  ...{ taxStatus: 'registered', oneStopShop: true },
}

const COUPON = {
  ...{ code: 'TEN', type: 'percent', percentBasisPoints: 1000, amountCents: null, currency: 'EUR' },
  ...{ minimumCents: null, includeSetupFee: false, stackable: false, productIds: [], planIds: [] },
  ...{ categoryIds: [], intervals: [], duration: 'forever', durationCycles: null },
}

/** Ids as they are made in earnest: what comes later sorts later. */
export const id = (kind: number, number: string) =>
  `('0000000${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

/**
 * Fills a shop with customers from four countries, every fifth of them a business, and as many active
 * services as wanted, four each, whose next month is due. Every tenth service has a coupon. Services and
 * their first invoices are another system's, so that nothing here says that this one sold them.
 */
export async function seedDueServices(
  client: Runner,
  tenantId: string,
  count: number,
): Promise<void> {
  const customers = Math.ceil(count / PER_CUSTOMER)
  const run = (text: string, values: unknown[]) => client.query(text, [tenantId, ...values])
  await run('update tenants.tenants set seller = $2, seller_ready_at = now() where id = $1', [
    SELLER,
  ])
  await run(CUSTOMERS, [customers])
  await run(
    `insert into store.products (tenant_id, id, slug, name, created_at)
     select $1::uuid, ${id(2, 'n')}, 'product-' || n, 'Minecraft ' || n, '2029-01-01'
     from generate_series(1, 5) n`,
    [],
  )
  await run(
    `insert into store.plans
       (tenant_id, id, product_id, name, interval, interval_count, price_cents, currency, created_at)
     select $1::uuid, ${id(3, 'n')}, ${id(2, 'n')}, 'Monthly', 'month', 1, 500 * n, 'EUR', '2029-01-01'
     from generate_series(1, 5) n`,
    [],
  )
  await run(SERVICES, [count, JSON.stringify([COUPON])])
  await run(PERIODS, [count])
  await run(ACCOUNTS, [customers])
  await run(
    `insert into ledger.balances (tenant_id, account_id, currency, may_be_in_debit)
     select tenant_id, id, 'EUR', true from ledger.accounts where tenant_id = $1`,
    [],
  )
}

const CUSTOMERS = `
  with customer as (
    insert into users.users
      (tenant_id, id, email, email_verified_at, name, company, vat_number, vat_status, country,
       address_line1, address_postcode, address_city, address_country, locale, created_at)
    select $1::uuid, ${id(1, 'n')}, 'customer' || n || '@example.org', '2029-01-01', 'Customer ' || n,
      case when n % 5 = 4 then 'Company ' || n end, case when n % 5 = 4 then 'DE136695976' end,
      case when n % 5 = 4 then 'valid' else 'none' end, place.country, '1 High Street',
      place.postcode, place.city, place.country, case when n % 2 = 0 then 'fr' else 'en' end,
      '2029-01-01'
    from generate_series(1, $2) n
    join (values (0, 'FR', '75001', 'Paris'), (1, 'FR', '69001', 'Lyon'), (2, 'US', '10001', 'New York'),
                 (3, 'ES', '28001', 'Madrid'), (4, 'DE', '10115', 'Berlin'))
      place(remainder, country, postcode, city) on place.remainder = n % 5
    returning tenant_id, id
  )
  insert into billing.invoices
    (tenant_id, id, user_id, kind, status, number, currency, price_mode, subtotal_cents,
     discount_cents, net_cents, tax_cents, total_cents, paid_cents, seller, buyer, imported,
     created_at, issued_at, due_at, paid_at)
  select tenant_id, id, id, 'checkout', 'paid', 'OLD-' || id, 'EUR', 'exclusive', 1000, 0, 1000, 0,
    1000, 1000, '{}', '{}', '{}', '2030-01-15', '2030-01-15', '2030-01-15', '2030-01-15'
  from customer`

const SERVICES = `
  insert into services.services
    (tenant_id, id, user_id, order_id, order_item_id, invoice_id, product_id, plan_id, name,
     price_cents, value_cents, currency, interval, interval_count, external_id, coupons, created_at,
     paid_at, activated_at, anchor_at, current_period_start, current_period_end, invoiced_to,
     next_invoice_at, imported)
  select $1::uuid, ${id(4, 'n')}, ${id(1, 'customer')}, ${id(5, 'n')}, ${id(5, 'n')}, ${id(1, 'customer')},
    ${id(2, '1 + n % 5')}, ${id(3, '1 + n % 5')}, 'Server ' || n, 500 * (1 + n % 5),
    500 * (1 + n % 5), 'EUR', 'month', 1, $1::uuid || '-' || n,
    case when n % 10 = 0 then $3::jsonb else '[]' end, '2030-01-15', '2030-01-15', '2030-01-15',
    '2030-01-15', '2030-01-15', '2030-02-15', '2030-02-15', timestamptz '2030-02-08' + n * interval '1 ms',
    jsonb_build_object('importId', $1::uuid, 'status', 'Active', 'cycle', 'Monthly',
      'firstCents', 500 * (1 + n % 5), 'amountCents', 500 * (1 + n % 5), 'quantity', 1)
  from generate_series(1, $2) n
  cross join lateral (select (n + ${PER_CUSTOMER} - 1) / ${PER_CUSTOMER} as customer) as owner`

const PERIODS = `
  insert into services.periods
    (tenant_id, id, service_id, starts_at, ends_at, invoice_id, product_id, plan_id, price_cents,
     value_cents, created_at, paid_at, due_at)
  select tenant_id, id, id, '2030-01-15', '2030-02-15', invoice_id, product_id, plan_id, price_cents,
    value_cents, '2030-01-15', '2030-01-15', '2030-01-15'
  from services.services where tenant_id = $1 and $2::int > 0`

/** Who has bought before has an account, and so has everything that was sold before. */
const ACCOUNTS = `
  insert into ledger.accounts (tenant_id, id, code, type, owner_id, created_at)
  select $1::uuid, owner, 'receivable:' || owner, 'asset', owner, timestamptz '2029-01-01'
  from (select ${id(1, 'n')} as owner from generate_series(1, $2) n) customers
  union all
  select $1::uuid, gen_random_uuid(), code, type, null, '2029-01-01'
  from (values ('revenue', 'income'), ('tax:FR:2000', 'liability'), ('tax:ES:2100', 'liability'))
    shared(code, type)`
