import type Stripe from 'stripe'
import { invalid, noSuch, refuseParameters } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, randomText, type Sandbox, unsetEmpty } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { Customer } from '../store.ts'
import { announce } from './events.ts'
import { attach, detach, findMethod } from './methods.ts'

/** The customer of an id. 404, or 400 naming the parameter, for none and for a deleted one. */
export function findCustomer({ store }: Sandbox, id: string, param?: string): Customer {
  const customer = store.customers.get(id)
  if (!customer) throw noSuch('customer', id, param)
  return customer
}

function fieldsOf(params: Stripe.CustomerCreateParams | Stripe.CustomerUpdateParams) {
  const { address, description, email, name, phone, preferred_locales, shipping } = params
  return unsetEmpty({ address, description, email, name, phone, preferred_locales, shipping })
}

function create(sandbox: Sandbox, params: Stripe.CustomerCreateParams): Customer {
  refuseParameters(params, UNSUPPORTED)
  const customer = newCustomer(sandbox, params)
  if (params.payment_method) {
    attach(sandbox, findMethod(sandbox, params.payment_method, 'payment_method'), customer.id)
  }
  setDefaultMethod(sandbox, customer, params.invoice_settings?.default_payment_method)
  return customer
}

/** A customer with these fields, written and announced. */
export function newCustomer(sandbox: Sandbox, params: Stripe.CustomerCreateParams): Customer {
  const customer = resource<Customer>('Customer', {
    ...born(sandbox),
    id: newId('cus').slice(0, 'cus_'.length + 14),
    preferred_locales: [],
    invoice_prefix: params.invoice_prefix ?? randomText(8).toUpperCase(),
    next_invoice_sequence: 1,
    tax_exempt: params.tax_exempt || 'none',
    delinquent: false,
    ...NOTHING_SAID,
    ...fieldsOf(params),
    metadata: mergedMetadata(null, params.metadata),
  })
  sandbox.store.customers.set(customer.id, customer)
  announce(sandbox, 'customer.created', customer)
  return customer
}

const UNSUPPORTED = ['source', 'test_clock', 'tax', 'tax_id_data', 'cash_balance']
const NOTHING_SAID = { address: null, name: null, phone: null, shipping: null }

function update(sandbox: Sandbox, params: Stripe.CustomerUpdateParams, id: string): Customer {
  refuseParameters(params, UNSUPPORTED)
  const customer = findCustomer(sandbox, id)
  const before = structuredClone(customer)
  setDefaultMethod(sandbox, customer, params.invoice_settings?.default_payment_method)
  changeCustomer(sandbox, customer, before, {
    ...fieldsOf(params),
    ...(params.tax_exempt !== undefined && { tax_exempt: params.tax_exempt || 'none' }),
    ...(params.metadata !== undefined && {
      metadata: mergedMetadata(customer.metadata, params.metadata),
    }),
  })
  return customer
}

/** Writes fields of a customer and announces what changed since `before`, if anything did. */
export function changeCustomer(
  sandbox: Sandbox,
  customer: Customer,
  before: Customer,
  fields: object,
): void {
  Object.assign(customer, fields)
  const old = Object.entries(before).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(customer[key as keyof Customer]),
  )
  if (old.length > 0) announce(sandbox, 'customer.updated', customer, Object.fromEntries(old))
}

function setDefaultMethod(sandbox: Sandbox, customer: Customer, id: string | undefined): void {
  if (id === undefined) return
  const param = 'invoice_settings[default_payment_method]'
  const method = id === '' ? null : findMethod(sandbox, id, param)
  if (method && method.customer !== customer.id) {
    throw invalid('The customer does not have this payment method: attach it first.', { param })
  }
  customer.invoice_settings.default_payment_method = method?.id ?? null
}

function retrieve({ store }: Sandbox, _params: object, id: string): object {
  const customer = store.customers.get(id) ?? store.deletedCustomers.get(id)
  if (!customer) throw noSuch('customer', id)
  return customer
}

function remove(sandbox: Sandbox, _params: object, id: string): object {
  const { store } = sandbox
  const customer = findCustomer(sandbox, id)
  for (const method of store.paymentMethods.values()) {
    if (method.customer === id) detach(sandbox, method)
  }
  store.customers.delete(id)
  const deleted: Stripe.DeletedCustomer = { id, object: 'customer', deleted: true }
  store.deletedCustomers.set(id, deleted)
  announce(sandbox, 'customer.deleted', customer)
  return deleted
}

function list({ store }: Sandbox, params: Stripe.CustomerListParams): object {
  const { email, created } = params
  const rows = [...store.customers.values()].filter((it) => !email || it.email === email)
  return listOf(rows, { url: '/v1/customers', page: params, ...(created && { created }) })
}

function listMethods(
  sandbox: Sandbox,
  params: Stripe.CustomerListPaymentMethodsParams,
  id: string,
): object {
  findCustomer(sandbox, id)
  const rows = [...sandbox.store.paymentMethods.values()].filter(
    (it) => it.customer === id && (!params.type || it.type === params.type),
  )
  return listOf(rows, { url: `/v1/customers/${id}/payment_methods`, page: params })
}

export const customerOperations: Operations = {
  'GET /v1/customers': operation(list),
  'POST /v1/customers': operation(create),
  'GET /v1/customers/{customer}': operation(retrieve),
  'POST /v1/customers/{customer}': operation(update),
  'DELETE /v1/customers/{customer}': operation(remove),
  'GET /v1/customers/{customer}/payment_methods': operation(listMethods),
}
