import { followIntent, sessionOf } from './resources/checkout.ts'
import { settlePayment } from './resources/confirmation.ts'
import { findPayment } from './resources/payments.ts'
import { completeRefund, failRefund, findRefund } from './resources/refunds.ts'
import { expireSession, findSession } from './resources/sessions.ts'
import type { Sandbox } from './sandbox.ts'
import type { Appointment } from './store.ts'

/** Does what the sandbox's clock says is due: sessions expire, delayed results come in. */
export function runDue(sandbox: Sandbox): void {
  const { store, clock } = sandbox
  for (const [key, appointment] of store.appointments) {
    if (appointment.at > clock.now()) continue
    store.appointments.delete(key)
    keep(sandbox, appointment)
  }
}

function keep(sandbox: Sandbox, { what, id }: Appointment): void {
  switch (what) {
    case 'session-expires':
      return expireSession(sandbox, findSession(sandbox, id))
    case 'payment-succeeds':
    case 'payment-fails':
      return settle(sandbox, id, what === 'payment-succeeds')
    case 'refund-succeeds':
      return completeRefund(sandbox, findRefund(sandbox, id))
    case 'refund-fails':
      return failRefund(sandbox, findRefund(sandbox, id))
  }
}

/** The delayed result of a payment; its session, if any, hears of it. */
export function settle(sandbox: Sandbox, paymentId: string, succeeds: boolean): void {
  const intent = findPayment(sandbox, paymentId)
  settlePayment(sandbox, intent, succeeds)
  const session = sessionOf(sandbox, intent.id)
  if (session) followIntent(sandbox, session)
}
