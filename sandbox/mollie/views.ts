import {
  type Chargeback,
  type Customer,
  chargedBackOf,
  type Mandate,
  moneyOf,
  type Payment,
  type Refund,
  refundedOf,
  type Store,
  unitsOf,
} from './store.ts'

/** The objects of the store as the API shows them. */
export type Views = {
  payment(it: Payment, embed?: readonly string[]): object
  refund(it: Refund): object
  chargeback(it: Chargeback): object
  customer(it: Customer): object
  mandate(it: Mandate): object
}

/** `url` is where this server listens: pages and links point there. */
export function viewsOf(store: Store, url: () => string): Views {
  const self = (path: string) => ({ href: `${url()}/v2/${path}`, type: 'application/hal+json' })
  const views: Views = {
    payment(it, embed = []) {
      const { currency } = it.amount
      const refunded = refundedOf(store, it.id)
      const chargedBack = chargedBackOf(store, it.id)
      const left = unitsOf(it.amount) - refunded - chargedBack
      const wasPaid = it.status === 'paid'
      const parts = {
        ...(embed.includes('refunds') && {
          refunds: [...store.refunds.values()]
            .filter(({ paymentId }) => paymentId === it.id)
            .map((refund) => views.refund(refund)),
        }),
        ...(embed.includes('chargebacks') && {
          chargebacks: [...store.chargebacks.values()]
            .filter(({ paymentId }) => paymentId === it.id)
            .map((chargeback) => views.chargeback(chargeback)),
        }),
      }
      return {
        ...{ resource: 'payment', mode: 'test', profileId: 'pfl_sandbox' },
        ...it,
        isCancelable: it.status === 'open' && it.method === 'banktransfer',
        ...(wasPaid && {
          amountRefunded: moneyOf(refunded, currency),
          amountRemaining: moneyOf(left, currency),
        }),
        ...(chargedBack > 0 && { amountChargedBack: moneyOf(chargedBack, currency) }),
        ...(embed.length > 0 && { _embedded: parts }),
        _links: {
          self: self(`payments/${it.id}`),
          ...(it.status === 'open' &&
            it.sequenceType !== 'recurring' && {
              checkout: { href: `${url()}/checkout/${it.id}`, type: 'text/html' },
            }),
        },
      }
    },
    refund: (it) => ({
      ...{ resource: 'refund', mode: 'test', description: '' },
      ...it,
      _links: { self: self(`payments/${it.paymentId}/refunds/${it.id}`) },
    }),
    chargeback: (it) => ({
      ...{ resource: 'chargeback', mode: 'test' },
      ...it,
      reason: { code: 'AC01', description: 'Account identifier incorrect' },
      _links: { self: self(`payments/${it.paymentId}/chargebacks/${it.id}`) },
    }),
    customer: ({ id, createdAt, fields }) => ({
      ...{ resource: 'customer', mode: 'test', id, createdAt },
      ...fields,
      _links: { self: self(`customers/${id}`) },
    }),
    mandate: ({ outcome: _, ...it }) => ({
      ...{ resource: 'mandate', mode: 'test' },
      ...it,
      _links: { self: self(`customers/${it.customerId}/mandates/${it.id}`) },
    }),
  }
  return views
}
