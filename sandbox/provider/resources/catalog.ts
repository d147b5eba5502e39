import type Stripe from 'stripe'
import { readCurrency } from '../amounts.ts'
import { invalid, noSuch, refuseParameters } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, type Sandbox, unsetEmpty } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { Price, Product } from '../store.ts'

type ProductFields = {
  id?: string
  name: string
  description?: string | undefined
  images?: string[] | undefined
  metadata?: Stripe.Emptyable<Stripe.MetadataParam> | undefined
  active?: boolean
}

/** Writes a product. One that is made for a single sale is not active. */
export function newProduct(sandbox: Sandbox, fields: ProductFields): Product {
  const { id = newId('prod'), name, description, images = [], metadata, active = true } = fields
  if (sandbox.store.products.has(id)) {
    throw invalid('Product already exists.', { param: 'id', code: 'resource_already_exists' })
  }
  const product = resource<Product>('Product', {
    ...born(sandbox),
    ...{ id, active, images, name },
    description: description ?? null,
    metadata: mergedMetadata(null, metadata),
    type: 'service',
    updated: sandbox.clock.seconds(),
  })
  sandbox.store.products.set(id, product)
  return product
}

type PriceFields = {
  currency: string
  unit_amount?: number | undefined
  /** A text here, a class of the SDK in its types. */
  unit_amount_decimal?: { toString(): string } | undefined
  product: string
  active?: boolean
}

/** Writes a price. Exactly one of the two amounts, in the smallest unit; 400 otherwise. */
export function newPrice(sandbox: Sandbox, fields: PriceFields, param = ''): Price {
  const { currency, unit_amount, unit_amount_decimal: decimal, product, active = true } = fields
  const inside = (name: string) => (param === '' ? name : `${param}[${name}]`)
  if ((unit_amount === undefined) === (decimal === undefined)) {
    throw invalid('Pass either unit_amount or unit_amount_decimal.', {
      param: inside('unit_amount'),
      code: 'parameter_missing',
    })
  }
  const amount = unit_amount ?? Number(String(decimal))
  if (!Number.isSafeInteger(amount) || amount < 0) {
    const message = 'The sandbox takes whole amounts that are not negative.'
    throw invalid(message, { param: inside('unit_amount') })
  }
  const price = resource<Price>('Price', {
    ...born(sandbox),
    id: newId('price'),
    active,
    billing_scheme: 'per_unit',
    currency: readCurrency(currency, inside('currency')),
    product,
    tax_behavior: 'unspecified',
    type: 'one_time',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  })
  sandbox.store.prices.set(price.id, price)
  return price
}

export function findProduct({ store }: Sandbox, id: string, param?: string): Product {
  const product = store.products.get(id)
  if (!product) throw noSuch('product', id, param)
  return product
}

export function findPrice({ store }: Sandbox, id: string, param?: string): Price {
  const price = store.prices.get(id)
  if (!price) throw noSuch('price', id, param)
  return price
}

function createProduct(sandbox: Sandbox, params: Stripe.ProductCreateParams): Product {
  refuseParameters(params, ['default_price_data', 'package_dimensions', 'tax_code'])
  return newProduct(sandbox, params)
}

function retrieveProduct(sandbox: Sandbox, _params: object, id: string): Product {
  return findProduct(sandbox, id)
}

function updateProduct(sandbox: Sandbox, params: Stripe.ProductUpdateParams, id: string): Product {
  const product = findProduct(sandbox, id)
  if (params.default_price) findPrice(sandbox, params.default_price, 'default_price')
  const { active, default_price, description, images, name, url } = params
  Object.assign(
    product,
    unsetEmpty({ active, default_price, description, name, url }),
    images !== undefined && { images: images || [] },
    { updated: sandbox.clock.seconds() },
  )
  product.metadata = mergedMetadata(product.metadata, params.metadata)
  return product
}

function listProducts({ store }: Sandbox, params: Stripe.ProductListParams): object {
  const { active, ids, created } = params
  const rows = [...store.products.values()].filter(
    (it) => (active === undefined || it.active === active) && (!ids || ids.includes(it.id)),
  )
  return listOf(rows, { url: '/v1/products', page: params, ...(created && { created }) })
}

function createPrice(sandbox: Sandbox, params: Stripe.PriceCreateParams): Price {
  refuseParameters(params, ['recurring', 'tiers', 'custom_unit_amount', 'currency_options'])
  const { product, product_data: data, nickname, lookup_key: key } = params
  if ((product === undefined) === (data === undefined)) {
    throw invalid('Pass either product or product_data.', {
      param: 'product',
      code: 'parameter_missing',
    })
  }
  const owner = data ? newProduct(sandbox, data) : findProduct(sandbox, product ?? '', 'product')
  const { currency, unit_amount, unit_amount_decimal, active = true } = params
  const amounts = { currency, unit_amount, unit_amount_decimal }
  const price = newPrice(sandbox, { ...amounts, product: owner.id, active })
  price.nickname = nickname ?? null
  price.lookup_key = key ?? null
  price.metadata = mergedMetadata(null, params.metadata)
  return price
}

function retrievePrice(sandbox: Sandbox, _params: object, id: string): Price {
  return findPrice(sandbox, id)
}

function updatePrice(sandbox: Sandbox, params: Stripe.PriceUpdateParams, id: string): Price {
  refuseParameters(params, ['currency_options'])
  const price = findPrice(sandbox, id)
  const { active, lookup_key, nickname } = params
  Object.assign(price, unsetEmpty({ active, lookup_key, nickname }))
  price.metadata = mergedMetadata(price.metadata, params.metadata)
  return price
}

function listPrices({ store }: Sandbox, params: Stripe.PriceListParams): object {
  const { active, currency, product, lookup_keys: keys, created } = params
  const rows = [...store.prices.values()].filter(
    (it) =>
      (active === undefined || it.active === active) &&
      (!currency || it.currency === currency) &&
      (!product || it.product === product) &&
      (!keys || keys.includes(it.lookup_key ?? '')),
  )
  return listOf(rows, { url: '/v1/prices', page: params, ...(created && { created }) })
}

export const catalogOperations: Operations = {
  'GET /v1/products': operation(listProducts),
  'POST /v1/products': operation(createProduct),
  'GET /v1/products/{id}': operation(retrieveProduct),
  'POST /v1/products/{id}': operation(updateProduct),
  'GET /v1/prices': operation(listPrices),
  'POST /v1/prices': operation(createPrice),
  'GET /v1/prices/{price}': operation(retrievePrice),
  'POST /v1/prices/{price}': operation(updatePrice),
}
