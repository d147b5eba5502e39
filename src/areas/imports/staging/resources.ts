/**
 * The common form of rows of all other systems before they are imported: rows as they were, with the
 * ids of their own system. Amounts are in hundredths of the currency's unit, whatever its smallest unit
 * is; tax rates are in thousandths of a percent. The tables are `imports.staged_…`; each also has
 * `row_number`, its place in the file, and `source_id`.
 */
export const STAGED = {
  /** `decimals`: of the smallest unit; null for an unknown currency. */
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
    /** Whether they have confirmed their address in the old system. */
    confirmed: 'boolean',
    notes: 'text',
    /** Whether they sign in with a second factor, whose secret no dump contains in plain text. */
    second_factor: 'boolean',
  },
  /** What clients entered about themselves, by the keys in `settle.ts`; other keys begin with `fact:`. */
  details: { client: 'bigint', key: 'text', value: 'text' },
  /** Custom fields that the host has added for clients, and their values. */
  custom_fields: { label: 'text' },
  custom_values: { client: 'bigint', field: 'bigint', text: 'text' },
  /** Other contacts of a client. */
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
    /** `free`, `one_time` or `recurring`; null if its plans store it. */
    pays: 'text',
    taxable: 'boolean',
    /** The id of the row with its prices. */
    payment: 'bigint',
  },
  /** One row has all cycles: their months, prices and setup fees side by side. */
  prices: {
    kind: 'text',
    product: 'bigint',
    currency: 'bigint',
    months: 'bigint[]',
    amounts: 'bigint[]',
    setup_fees: 'bigint[]',
    /** The plan of this price, which has its product and cycle. */
    plan: 'bigint',
    /** How it is paid, if the product does not store it. */
    pays: 'text',
  },
  plans: {
    product: 'bigint',
    /** `product`, or another kind of object that has plans. */
    kind: 'text',
    pays: 'text',
    /** 0: paid once; null: free. */
    months: 'bigint',
    cycle: 'text',
  },
  /** Cycles of price rows that store them in rows of their own. */
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
    /** Whether it has a condition that our coupons cannot have. */
    restricted: 'boolean',
  },
  coupon_products: { coupon: 'bigint', product: 'bigint' },
  option_groups: { name: 'text' },
  /** The products with which groups of options are offered. */
  option_links: { option_group: 'bigint', product: 'bigint' },
  options: {
    option_group: 'bigint',
    /** In the form that keys have here. */
    key: 'text',
    name: 'text',
    /** `select`, `toggle` or `quantity`. */
    kind: 'text',
    minimum: 'bigint',
    maximum: 'bigint',
    position: 'bigint',
    hidden: 'boolean',
  },
  /** Values of a select; the one of a toggle or a quantity has the price for it, or for each unit. */
  option_values: {
    option: 'bigint',
    key: 'text',
    name: 'text',
    position: 'bigint',
    hidden: 'boolean',
  },
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
    /** Its currency; null: that of its client. */
    currency: 'bigint',
    plan: 'bigint',
    coupon: 'bigint',
    /** A coupon that may apply to renewals too. */
    promotion: 'bigint',
    /** The id of a subscription at the payment provider. */
    subscription: 'text',
    /** Whether it is suspended for non-payment; null in a system that gives no reason. */
    overdue: 'boolean',
  },
  /** What services have of options: the value of a select, the quantity of the others. */
  service_options: { service: 'bigint', option: 'bigint', value: 'bigint', quantity: 'bigint' },
  /** Requests to cancel: `immediate` or `period_end`. */
  cancellations: { service: 'bigint', kind: 'text', requested_at: 'timestamptz' },
  /** Subscriptions at a payment provider that still charge, with the invoice that began them. */
  subscriptions: { client: 'bigint', invoice: 'bigint', reference: 'text' },
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
    /** The text before the number. */
    series: 'text',
    /** What was paid on it while it is open; null: computed from its transactions. */
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
    /** Why it cannot be read. The total of its invoice is unknown then. */
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
    /**
     * Null: money that moved. `credit`: credit that was used; otherwise, the status of a payment that moved nothing.
     */
    state: 'text',
  },
  /** Credit by currency, for systems whose clients may have several. */
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
    /** The code in their links; null: their number in the old system. */
    code: 'text',
    /** Their own percentage. */
    reward: 'bigint',
  },
  /** The client who was referred, by their service or order, and the affiliate who referred them. */
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

/** An integer; a bigint only if a number cannot represent it. */
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

/** Columns that few systems have: null, unless a source sets them. */
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

/** A row of a resource, as a source reads it. Instants are milliseconds since the epoch. */
export type Staged<R extends Resource> = Omit<CellsOf<R>, RareOf<R>> &
  Partial<Pick<CellsOf<R>, RareOf<R> & keyof CellsOf<R>>>

/** Columns of months store weeks as this number plus the weeks: 1002 is two weeks. No cycle has this many months. */
export const WEEKS = 1000
/** Months of a cycle that no plan of ours can have: days, or hours that are paid in advance. */
export const OTHER_CYCLE = -1
/** Months of a cycle that its plan has; they stay if the plan is missing. */
export const CYCLE_OF_PLAN = -2

export const RESOURCES = Object.keys(STAGED) as readonly Resource[]

/** The columns with the creation time of a row, for resources that have one. */
export const MADE_AT: Partial<Record<Resource, string>> = {
  ...{ clients: 'created_at', services: 'created_at', orders: 'created_at' },
  ...{ invoices: 'issued_at', transactions: 'happened_at', credit_entries: 'happened_at' },
  ...{ affiliates: 'created_at', commissions: 'happened_at', payouts: 'happened_at' },
}
