import type Stripe from 'stripe'
import { noSuch } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { newId, type Sandbox } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { BalanceTransaction } from '../store.ts'

type Entry = {
  /** In the currency's smallest unit; negative when money leaves. */
  amount: number
  fee: number
  currency: string
  source: string
  type: BalanceTransaction['type']
  category: string
  description: string | null
}

/** The fee of a card payment, in the currency's smallest unit: 1.5 % and 25. */
export function cardFee(amount: number): number {
  return Math.floor((amount * 150 + 5000) / 10_000) + 25
}

/** Books money in or out of the account's balance. */
export function book(sandbox: Sandbox, entry: Entry): BalanceTransaction {
  const { amount, fee, currency, description, source, type, category } = entry
  const seconds = sandbox.clock.seconds()
  const transaction = resource<BalanceTransaction>('BalanceTransaction', {
    id: newId('txn'),
    amount,
    available_on: seconds,
    balance_type: 'payments',
    created: seconds,
    currency,
    description,
    fee,
    fee_details: fee === 0 ? [] : [feeDetail(fee, currency)],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'available',
    type,
  })
  sandbox.store.balanceTransactions.set(transaction.id, transaction)
  return transaction
}

function feeDetail(amount: number, currency: string): Stripe.BalanceTransaction.FeeDetail {
  return {
    amount,
    currency,
    application: null,
    description: 'Processing fees',
    type: 'stripe_fee',
  }
}

function retrieve({ store }: Sandbox, _params: object, id: string): BalanceTransaction {
  const transaction = store.balanceTransactions.get(id)
  if (!transaction) throw noSuch('balance transaction', id)
  return transaction
}

function list({ store }: Sandbox, params: Stripe.BalanceTransactionListParams): object {
  const { created, currency, source, type } = params
  const rows = [...store.balanceTransactions.values()].filter(
    (it) =>
      (!currency || it.currency === currency) &&
      (!source || it.source === source) &&
      (!type || it.type === type),
  )
  return listOf(rows, {
    url: '/v1/balance_transactions',
    page: params,
    ...(created && { created }),
  })
}

export const balanceOperations: Operations = {
  'GET /v1/balance_transactions': operation(list),
  'GET /v1/balance_transactions/{id}': operation(retrieve),
}
