import { setTimeout } from 'node:timers/promises'
// Elsewhere: import { … } from '@moorage/client'
import { answerOf, moorage } from '../../client/src/index.ts'

type Wish = {
  /** The address of the shop, and a read-write API key of the customer. */
  readonly url: string
  readonly key: string
  /** The product's slug; its first plan is bought. */
  readonly product: string
  /** Is told where to pay. */
  readonly pay: (page: string) => void
}

/** Buys a game server and answers its address once players can join. */
export async function buyServer({ url, key, product: slug, pay }: Wish): Promise<string> {
  const shop = moorage({ url, credential: key })
  const at = { params: { path: { idOrSlug: slug } } }
  const { plans } = await answerOf(shop.GET('/v1/store/products/{idOrSlug}', at))
  const { gateways } = await answerOf(shop.GET('/v1/meta'))
  const [plan, gateway] = [plans[0], gateways[0]]
  if (!plan || !gateway) throw new Error(`${slug} cannot be bought here just now.`)
  await answerOf(shop.POST('/v1/cart/items', { body: { planId: plan.id } }))
  // The customer has agreed to the text of GET /v1/billing/checkout/consent.
  const body = { gatewayId: gateway.id, immediateStart: true }
  const { order, payment } = await answerOf(shop.POST('/v1/billing/checkout', { body }))
  if (payment?.redirectUrl) pay(payment.redirectUrl)
  const path = { id: order.items[0]?.serviceIds[0] ?? '' }
  for (;;) {
    await setTimeout(1000)
    const { status, panel } = await answerOf(shop.GET('/v1/services/{id}', { params: { path } }))
    if (status === 'failed') throw new Error('The server could not be made. Staff have been told.')
    if (status === 'active' && panel?.address) return panel.address
  }
}
