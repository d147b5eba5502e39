/**
 * What every foreign system is turned into before anything of it becomes ours: rows as they were,
 * with the ids of their own system. Amounts are hundredths of the currency's unit, whatever its
 * smallest unit is here; rates of tax are thousandths of a percent. The tables are
 * `imports.staged_…`; each also has `row_number`, its place in the file, and `source_id`.
 */
export const STAGED = {
  /** `decimals`: of the smallest unit; null for a currency that nobody knows. */
  currencies: { code: 'text', decimals: 'bigint', main: 'boolean' },
  clients: {
    currency: 'bigint',
    email: 'text',
    name: 'text',
    company: 'text',
    address_line1: 'text',
    address_line2: 'text',
    city: 'text',
    region: 'text',
    postcode: 'text',
    country: 'text',
    phone: 'text',
    tax_number: 'text',
    tax_exempt: 'boolean',
    credit: 'bigint',
    status: 'text',
    language: 'text',
    password: 'text',
    created_at: 'timestamptz',
    /** A group whose customers have a discount. */
    client_group: 'bigint',
    /** Whether they have shown there that the address is theirs. */
    confirmed: 'boolean',
    notes: 'text',
    /** Whether they have to show something beside their password, which no dump holds in the clear. */
    second_factor: 'boolean',
  },
  /** What clients said of themselves, by names that stand in `settle.ts`; others begin with `fact:`. */
  details: { client: 'bigint', key: 'text', value: 'text' },
  /** Fields that the host had added for clients, and what they hold. */
  custom_fields: { label: 'text' },
  custom_values: { client: 'bigint', field: 'bigint', text: 'text' },
  /** Other people to reach a client by. */
  contacts: { client: 'bigint', text: 'text' },
  logins: { email: 'text', password: 'text', confirmed: 'boolean', second_factor: 'boolean' },
  login_clients: { login: 'bigint', client: 'bigint', owner: 'boolean' },
  categories: { name: 'text', hidden: 'boolean', position: 'bigint' },
  products: {
    category: 'bigint',
    name: 'text',
    description: 'text',
    hidden: 'boolean',
    retired: 'boolean',
    stock: 'bigint',
    position: 'bigint',
    /** `free`, `one_time` or `recurring`; null where each of its plans says it. */
    pays: 'text',
    taxable: 'boolean',
    /** The row with its prices. */
    payment: 'bigint',
  },
  /** One row holds all cycles: their months, prices and setup fees side by side. */
  prices: {
    kind: 'text',
    product: 'bigint',
    currency: 'bigint',
    months: 'bigint[]',
    amounts: 'bigint[]',
    setup_fees: 'bigint[]',
    /** The plan whose price it is, which says its product and cycle. */
    plan: 'bigint',
    /** How it is paid for, where the product does not say it. */
    pays: 'text',
  },
  plans: {
    product: 'bigint',
    /** `product`, or what else it is the plan of. */
    kind: 'text',
    pays: 'text',
    /** 0: paid once; null: free. */
    months: 'bigint',
    cycle: 'text',
  },
  /** Cycles of a price row that has them elsewhere. */
  price_periods: { price: 'bigint', months: 'bigint', amount: 'bigint', setup_fee: 'bigint' },
  coupons: {
    code: 'text',
    /** `percent`, `fixed`, or what the old system calls it. */
    type: 'text',
    value: 'bigint',
    recurring: 'boolean',
    recurrences: 'bigint',
    starts_at: 'timestamptz',
    ends_at: 'timestamptz',
    max_uses: 'bigint',
    uses: 'bigint',
    once_per_client: 'boolean',
    new_clients_only: 'boolean',
    products: 'text',
    /** Whether it asks for something that no coupon here can ask for. */
    restricted: 'boolean',
  },
  coupon_products: { coupon: 'bigint', product: 'bigint' },
  tax_rates: { level: 'bigint', name: 'text', region: 'text', country: 'text', rate: 'bigint' },
  services: {
    client: 'bigint',
    order_ref: 'bigint',
    product: 'bigint',
    name: 'text',
    first_amount: 'bigint',
    amount: 'bigint',
    /** 0: paid once; null: free. */
    months: 'bigint',
    cycle: 'text',
    next_due_at: 'timestamptz',
    created_at: 'timestamptz',
    ended_at: 'timestamptz',
    /** `pending`, `active`, `suspended` or `ended`. */
    state: 'text',
    status: 'text',
    quantity: 'bigint',
    /** What it is paid in; null: what its client pays in. */
    currency: 'bigint',
    plan: 'bigint',
    coupon: 'bigint',
    /** A coupon that may count for renewals too. */
    promotion: 'bigint',
    /** The id of a subscription at the payment provider. */
    subscription: 'text',
    /** Whether it is suspended for non-payment; null in a system that gives no reason. */
    overdue: 'boolean',
  },
  /** Requests to cancel: `immediate` or `period_end`. */
  cancellations: { service: 'bigint', kind: 'text', requested_at: 'timestamptz' },
  /** Groups of customers, with a discount in hundredths of a percent. */
  client_groups: { name: 'text', discount: 'bigint' },
  orders: {
    client: 'bigint',
    currency: 'bigint',
    number: 'text',
    amount: 'bigint',
    status: 'text',
    invoice: 'bigint',
    created_at: 'timestamptz',
  },
  invoices: {
    client: 'bigint',
    number: 'text',
    issued_at: 'timestamptz',
    due_at: 'timestamptz',
    paid_at: 'timestamptz',
    subtotal: 'bigint',
    credit: 'bigint',
    tax: 'bigint',
    tax2: 'bigint',
    total: 'bigint',
    rate: 'bigint',
    rate2: 'bigint',
    /** `draft`, `open`, `paid`, `void`, `refunded` or `uncollectible`. */
    state: 'text',
    status: 'text',
    note: 'text',
    currency: 'bigint',
    /** What stands before the number. */
    series: 'text',
    /** What was paid on it while it is open; null: what its transactions say. */
    paid: 'bigint',
  },
  invoice_rates: { invoice: 'bigint', rate: 'bigint' },
  invoice_items: {
    invoice: 'bigint',
    client: 'bigint',
    type: 'text',
    reference: 'bigint',
    description: 'text',
    amount: 'bigint',
    taxed: 'boolean',
    /** Why it cannot be read. Nobody knows then what its invoice adds up to. */
    fault: 'text',
  },
  transactions: {
    client: 'bigint',
    currency: 'bigint',
    gateway: 'text',
    happened_at: 'timestamptz',
    description: 'text',
    amount_in: 'bigint',
    fees: 'bigint',
    amount_out: 'bigint',
    reference: 'text',
    invoice: 'bigint',
    refund_of: 'bigint',
    /** Null: money that moved. `credit`: credit that was used; otherwise, what became of it. */
    state: 'text',
  },
  /** Credit in a currency, where clients may have several. */
  balances: { client: 'bigint', currency: 'bigint', amount: 'bigint' },
  credit_entries: {
    client: 'bigint',
    happened_at: 'timestamptz',
    description: 'text',
    amount: 'bigint',
  },
  affiliates: {
    client: 'bigint',
    created_at: 'timestamptz',
    visitors: 'bigint',
    balance: 'bigint',
    withdrawn: 'bigint',
    currency: 'bigint',
    /** What stands in their links; without one, their number there. */
    code: 'text',
    /** A percentage of their own. */
    reward: 'bigint',
  },
  /** Who brought whom: the client of a service, or of an order. */
  referrals: { affiliate: 'bigint', service: 'bigint', order_ref: 'bigint' },
  commissions: {
    affiliate: 'bigint',
    referral: 'bigint',
    happened_at: 'timestamptz',
    description: 'text',
    amount: 'bigint',
  },
  pending_commissions: { referral: 'bigint', amount: 'bigint', clears_at: 'timestamptz' },
  payouts: { affiliate: 'bigint', happened_at: 'timestamptz', amount: 'bigint' },
} as const satisfies Record<string, Readonly<Record<string, ColumnType>>>

export type ColumnType = 'text' | 'bigint' | 'bigint[]' | 'boolean' | 'timestamptz'

/** A kind of row that is staged. */
export type Resource = keyof typeof STAGED

/** A whole number, as a bigint only where it is beyond what a number holds. */
export type Whole = number | bigint

type Cell<T extends ColumnType> = T extends 'boolean'
  ? boolean
  : T extends 'bigint'
    ? Whole | null
    : T extends 'bigint[]'
      ? readonly Whole[]
      : T extends 'timestamptz'
        ? number | null
        : string | null

/** Columns that few systems have: null, unless a source says otherwise. */
type Rare = {
  clients: 'client_group' | 'second_factor'
  products: 'payment'
  prices: 'plan' | 'pays'
  services: 'currency' | 'plan' | 'coupon' | 'promotion' | 'subscription' | 'overdue'
  orders: 'currency'
  invoices: 'currency' | 'series' | 'paid'
  invoice_items: 'fault'
  transactions: 'state'
  affiliates: 'currency' | 'code' | 'reward'
  referrals: 'order_ref'
}
type RareOf<R extends Resource> = R extends keyof Rare ? Rare[R] : never

type CellsOf<R extends Resource> = {
  readonly [C in keyof (typeof STAGED)[R]]: (typeof STAGED)[R][C] extends ColumnType
    ? Cell<(typeof STAGED)[R][C]>
    : never
}

/** What a source makes of one row of its own. Instants are milliseconds since the epoch. */
export type Staged<R extends Resource> = Omit<CellsOf<R>, RareOf<R>> &
  Partial<Pick<CellsOf<R>, RareOf<R> & keyof CellsOf<R>>>

/** Columns of months hold weeks behind this number: 1002 is two weeks. No cycle has so many months. */
export const WEEKS = 1000
/** Months of a cycle that nothing here can have: days, hours that were paid ahead. */
export const OTHER_CYCLE = -1
/** Months of a cycle that its plan says; what has no plan keeps them. */
export const CYCLE_OF_PLAN = -2

export const RESOURCES = Object.keys(STAGED) as readonly Resource[]

/** When a row of a resource came to be, as far as its system says. */
export const MADE_AT: Partial<Record<Resource, string>> = {
  ...{ clients: 'created_at', services: 'created_at', orders: 'created_at' },
  ...{ invoices: 'issued_at', transactions: 'happened_at', credit_entries: 'happened_at' },
  ...{ affiliates: 'created_at', commissions: 'happened_at', payouts: 'happened_at' },
}
