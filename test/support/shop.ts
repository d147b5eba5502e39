import assert from 'node:assert/strict'
import type { Client } from './client.ts'

/** Something the administration made: its answer. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails if they differ
export type Made = any

/** What a test sells: made through the administration's own routes. */
export type Shop = {
  category(fields?: object): Promise<Made>
  taxRate(fields?: object): Promise<Made>
  product(fields?: object): Promise<Made>
  /** A plan of a product: 1000 cents a month unless said otherwise. The product is published if it is complete. */
  plan(productId: string, fields?: object): Promise<Made>
  /** A product with one plan, published if it is complete. */
  offer(plan?: object, product?: object): Promise<{ product: Made; plan: Made }>
  /** A coupon of 10 % unless said otherwise. */
  coupon(fields?: object): Promise<Made>
}

let made = 0

function next(): number {
  made += 1
  return made
}

/**
 * A shop whose things are made by this administrator. What it sells is made by `provisioning`, unless said
 * otherwise: a product without stays a draft, and is not sold.
 */
export function shopOf(admin: Client, provisioning: object | null = null): Shop {
  async function create(path: string, body: object): Promise<Made> {
    const { status, body: answer } = await admin.post(`/v1/admin/${path}`, body)
    assert.equal(status, 201, JSON.stringify(answer))
    return answer
  }
  async function planned(
    productId: string,
    fields: object,
  ): Promise<{ plan: Made; product?: Made }> {
    const monthly = { name: 'Monthly', interval: 'month', priceCents: 1000 }
    const plan = await create('plans', { productId, ...monthly, ...fields })
    const { status, body } = await admin.post(`/v1/admin/products/${productId}/publish`)
    if (status === 200) return { plan, product: body }
    assert.equal(body.code, 'product_incomplete', JSON.stringify(body))
    return { plan }
  }
  const shop: Shop = {
    category: (fields = {}) => create('categories', { name: `Category ${next()}`, ...fields }),
    taxRate: (fields = {}) =>
      create('tax-rates', { name: 'VAT', country: 'FR', rateBasisPoints: 2000, ...fields }),
    product: (fields = {}) =>
      create('products', { name: `Product ${next()}`, provisioning, ...fields }),
    plan: async (productId, fields = {}) => (await planned(productId, fields)).plan,
    async offer(planFields = {}, productFields = {}) {
      const draft = await shop.product(productFields)
      const { plan, product } = await planned(draft.id, planFields)
      return { plan, product: { ...(product ?? draft), plans: [] } }
    },
    coupon: (fields: object = {}) => {
      const percent = 'type' in fields ? {} : { type: 'percent', percentBasisPoints: 1000 }
      return create('coupons', { code: `C${next()}`, ...percent, ...fields })
    },
  }
  return shop
}
