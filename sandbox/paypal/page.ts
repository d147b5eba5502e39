import type { Order } from './store.ts'

/** The page on which the payer agrees, or goes back. */
export function page({ amount, status }: Order): string {
  const buttons = ['approve', 'cancel'].map(
    (it) => `<button name="action" value="${it}">${it}</button>`,
  )
  const form = `<form method="post">${buttons.join(' ')}</form>`
  return [
    '<!doctype html><meta charset="utf-8"><title>Sandbox</title>',
    `<p>Sandbox - no real money</p><h1>${amount.value} ${amount.currency_code}</h1>`,
    status === 'COMPLETED' ? '<p>This order is paid.</p>' : form,
  ].join('\n')
}
