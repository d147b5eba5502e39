import type { Payment } from './store.ts'

const ENDINGS = ['paid', 'failed', 'canceled', 'expired'] as const

/** A hosted page on which the customer chooses how the payment ends. */
export function page({ description, amount, status }: Payment): string {
  const buttons = ENDINGS.map((it) => `<button name="status" value="${it}">${it}</button>`).join(
    ' ',
  )
  const what = `${escaped(description)}: ${escaped(amount.value)} ${escaped(amount.currency)}`
  const form = `<form method="post">${buttons}</form>`
  return [
    '<!doctype html><meta charset="utf-8"><title>Sandbox</title>',
    `<p>Sandbox - no real money</p><h1>${what}</h1>`,
    status === 'open' ? form : `<p>This payment is ${status}.</p>`,
  ].join('\n')
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
