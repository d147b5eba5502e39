import { decimalsOf, isCurrency } from '#lib/currency.ts'
import type { Cells } from '../cells.ts'
import { mapping, type TableMapping, type TableSums } from '../source.ts'
import { namedKey } from '../values.ts'
import {
  CYCLES,
  cycleOf,
  invoiceState,
  isOverdue,
  optionKindOf,
  payingOf,
  serviceState,
} from './values.ts'

function namesIn(cells: Cells, first: string, last: string): string {
  return `${cells.shown(first)} ${cells.shown(last)}`.trim()
}

const people: Record<string, TableMapping> = {
  tblcurrencies: mapping('currencies', (cells) => {
    const code = cells.text('code').trim().toUpperCase()
    return {
      code,
      decimals: isCurrency(code) ? decimalsOf(code) : null,
      main: cells.flag('default'),
    }
  }),
  tblclients: mapping('clients', (cells) => ({
    currency: cells.number('currency'),
    email: cells.text('email'),
    name: namesIn(cells, 'firstname', 'lastname'),
    company: cells.shown('companyname'),
    address_line1: cells.shown('address1'),
    address_line2: cells.shown('address2'),
    city: cells.shown('city'),
    region: cells.shown('state'),
    postcode: cells.shown('postcode'),
    country: cells.text('country').trim().toUpperCase(),
    phone: cells.shown('phonenumber'),
    tax_number: cells.shown('tax_id'),
    tax_exempt: cells.flag('taxexempt'),
    credit: cells.money('credit'),
    status: cells.text('status').trim().toLowerCase() || 'active',
    language: cells.text('language').trim().toLowerCase(),
    password: cells.text('password'),
    created_at: cells.instant('datecreated') ?? cells.instant('created_at'),
    client_group: cells.number('groupid'),
    confirmed: cells.flag('email_verified'),
    notes: cells.shown('notes'),
    // Before version 8.
    second_factor: cells.filled('authmodule') !== null,
  })),
  tblcustomfields: mapping('custom_fields', (cells) => {
    const isKept = cells.text('type') === 'client' && cells.text('fieldtype') !== 'password'
    // WHMCS shows the text after the bar instead of the name.
    const label = cells.shown('fieldname').split('|').at(-1)?.trim() ?? ''
    return isKept && label ? { label } : null
  }),
  tblcustomfieldsvalues: mapping(
    'custom_values',
    (cells) => {
      const text = cells.shown('value').trim()
      if (!text) return null
      return { client: cells.number('relid'), field: cells.number('fieldid'), text }
    },
    (cells) => cells.number('fieldid'),
  ),
  tblcontacts: mapping('contacts', (cells) => {
    const name = namesIn(cells, 'firstname', 'lastname')
    const known = [
      name,
      cells.shown('companyname'),
      cells.text('email'),
      cells.shown('phonenumber'),
    ]
    const text = known
      .map((it) => it.trim())
      .filter(Boolean)
      .join(', ')
    return text ? { client: cells.number('userid'), text } : null
  }),
  tblclientgroups: mapping('client_groups', (cells) => ({
    name: cells.shown('groupname'),
    discount: cells.money('discountpercent'),
  })),
  tblusers: mapping('logins', (cells) => ({
    email: cells.text('email'),
    password: cells.text('password'),
    confirmed: cells.instant('email_verified_at') !== null,
    second_factor: cells.filled('second_factor') !== null,
  })),
  tblusers_clients: mapping('login_clients', (cells) => ({
    login: cells.number('auth_user_id'),
    client: cells.number('client_id'),
    owner: cells.flag('owner'),
  })),
}

const catalogue: Record<string, TableMapping> = {
  tblproductgroups: mapping('categories', (cells) => ({
    name: cells.shown('name'),
    hidden: cells.flag('hidden'),
    position: cells.number('order'),
  })),
  tblproducts: mapping('products', (cells) => ({
    category: cells.number('gid'),
    name: cells.shown('name'),
    description: cells.shown('description'),
    hidden: cells.flag('hidden'),
    retired: cells.flag('retired'),
    stock: cells.flag('stockcontrol') ? cells.number('qty') : null,
    position: cells.number('order'),
    pays: payingOf(cells.text('paytype')),
    taxable: cells.flag('tax'),
  })),
  tblpricing: mapping('prices', (cells) => ({
    kind: cells.text('type'),
    product: cells.number('relid'),
    currency: cells.number('currency'),
    months: CYCLES.map(({ months }) => months),
    amounts: CYCLES.map(({ column }) => cells.money(column)),
    setup_fees: CYCLES.map(({ setup }) => cells.money(setup)),
  })),
  tblpromotions: mapping('coupons', (cells) => {
    const type = cells.text('type').trim()
    return {
      code: cells.shown('code').trim(),
      type: type === 'Percentage' ? 'percent' : type === 'Fixed Amount' ? 'fixed' : type,
      value: cells.money('value'),
      recurring: cells.flag('recurring'),
      recurrences: cells.number('recurfor'),
      starts_at: cells.instant('startdate'),
      ends_at: cells.instant('expirationdate'),
      max_uses: cells.number('maxuses'),
      uses: cells.number('uses'),
      once_per_client: cells.flag('onceperclient'),
      new_clients_only: cells.flag('newsignups'),
      products: cells.text('appliesto'),
      restricted: ['requires', 'cycles'].some((it) => cells.filled(it) !== null),
    }
  }),
  tbltax: mapping('tax_rates', (cells) => ({
    level: cells.number('level'),
    name: cells.shown('name'),
    region: cells.shown('state'),
    country: cells.text('country').trim().toUpperCase(),
    rate: cells.decimal('taxrate', 3),
  })),
}

const options: Record<string, TableMapping> = {
  tblproductconfiggroups: mapping('option_groups', (cells) => ({ name: cells.shown('name') })),
  tblproductconfiglinks: mapping('option_links', (cells) => ({
    option_group: cells.number('gid'),
    product: cells.number('pid'),
  })),
  tblproductconfigoptions: mapping('options', (cells) => ({
    option_group: cells.number('gid'),
    ...namedKey(cells.shown('optionname')),
    kind: optionKindOf(cells.text('optiontype')),
    minimum: cells.number('qtyminimum'),
    maximum: cells.number('qtymaximum'),
    position: cells.number('order'),
    hidden: cells.flag('hidden'),
  })),
  tblproductconfigoptionssub: mapping('option_values', (cells) => ({
    option: cells.number('configid'),
    ...namedKey(cells.shown('optionname')),
    position: cells.number('sortorder'),
    hidden: cells.flag('hidden'),
  })),
  tblhostingconfigoptions: mapping('service_options', (cells) => ({
    service: cells.number('relid'),
    option: cells.number('configid'),
    value: cells.number('optionid'),
    quantity: cells.number('qty'),
  })),
}

const sales: Record<string, TableMapping> = {
  tblhosting: mapping('services', (cells) => {
    const cycle = cells.text('billingcycle')
    return {
      client: cells.number('userid'),
      order_ref: cells.number('orderid'),
      product: cells.number('packageid'),
      name: cells.shown('domain'),
      first_amount: cells.money('firstpaymentamount'),
      amount: cells.money('amount'),
      months: cycleOf(cycle),
      cycle,
      next_due_at: cells.instant('nextduedate'),
      created_at: cells.instant('regdate') ?? cells.instant('created_at'),
      ended_at: cells.instant('termination_date'),
      ...serviceState(cells.text('domainstatus')),
      quantity: cells.has('qty') ? cells.number('qty') : 1,
      promotion: cells.number('promoid'),
      subscription: cells.filled('subscriptionid'),
      overdue: isOverdue(cells.text('suspendreason')),
    }
  }),
  tblcancelrequests: mapping('cancellations', (cells) => ({
    service: cells.number('relid'),
    kind: cells.text('type').trim().toLowerCase() === 'immediate' ? 'immediate' : 'period_end',
    requested_at: cells.instant('date'),
  })),
  tblorders: mapping('orders', (cells) => ({
    client: cells.number('userid'),
    number: cells.text('ordernum'),
    amount: cells.money('amount'),
    status: cells.text('status'),
    invoice: cells.number('invoiceid'),
    created_at: cells.instant('date'),
  })),
  tblinvoices: mapping('invoices', (cells) => ({
    client: cells.number('userid'),
    number: cells.text('invoicenum').trim(),
    issued_at: cells.instant('date'),
    due_at: cells.instant('duedate'),
    paid_at: cells.instant('datepaid'),
    subtotal: cells.money('subtotal'),
    credit: cells.money('credit'),
    tax: cells.money('tax'),
    tax2: cells.money('tax2'),
    total: cells.money('total'),
    rate: cells.decimal('taxrate', 3),
    rate2: cells.decimal('taxrate2', 3),
    ...invoiceState(cells.text('status')),
    note: cells.shown('notes'),
  })),
  tblinvoiceitems: mapping('invoice_items', (cells) => ({
    invoice: cells.number('invoiceid'),
    client: cells.number('userid'),
    type: cells.text('type'),
    reference: cells.number('relid'),
    description: cells.shown('description'),
    amount: cells.money('amount'),
    taxed: cells.flag('taxed'),
  })),
  tblaccounts: mapping('transactions', (cells) => ({
    client: cells.number('userid'),
    // Payments of a client are in the client's currency.
    currency: cells.number('userid') === 0 ? cells.number('currency') : null,
    gateway: cells.text('gateway'),
    happened_at: cells.instant('date'),
    description: cells.shown('description'),
    amount_in: cells.money('amountin'),
    fees: cells.money('fees'),
    amount_out: cells.money('amountout'),
    reference: cells.text('transid'),
    invoice: cells.number('invoiceid'),
    refund_of: cells.number('refundid'),
  })),
  tblcredit: mapping('credit_entries', (cells) => ({
    client: cells.number('clientid'),
    happened_at: cells.instant('date'),
    description: cells.shown('description'),
    amount: cells.money('amount'),
  })),
}

const affiliation: Record<string, TableMapping> = {
  tblaffiliates: mapping('affiliates', (cells) => ({
    client: cells.number('clientid'),
    created_at: cells.instant('date'),
    visitors: cells.number('visitors'),
    balance: cells.money('balance'),
    withdrawn: cells.money('withdrawn'),
  })),
  tblaffiliatesaccounts: mapping('referrals', (cells) => ({
    affiliate: cells.number('affiliateid'),
    service: cells.number('relid'),
  })),
  tblaffiliateshistory: mapping('commissions', (cells) => ({
    affiliate: cells.number('affiliateid'),
    referral: cells.number('affaccid'),
    happened_at: cells.instant('date'),
    description: cells.shown('description'),
    amount: cells.money('amount'),
  })),
  tblaffiliatespending: mapping('pending_commissions', (cells) => ({
    referral: cells.number('affaccid'),
    amount: cells.money('amount'),
    clears_at: cells.instant('clearingdate'),
  })),
  tblaffiliateswithdrawals: mapping('payouts', (cells) => ({
    affiliate: cells.number('affiliateid'),
    happened_at: cells.instant('date'),
    amount: cells.money('amount'),
  })),
}

/** The mapping of each table; rows of other tables are only counted. */
export const tables: Readonly<Record<string, TableMapping | TableSums>> = {
  ...people,
  ...catalogue,
  ...options,
  ...sales,
  ...affiliation,
  tblhostingaddons: { sums: ['recurring', 'setupfee', 'firstpaymentamount'] },
  tbldomains: { sums: ['recurringamount', 'firstpaymentamount'] },
}
