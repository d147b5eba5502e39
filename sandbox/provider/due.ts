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
    KEPT[appointment.what](sandbox, appointment.id)
  }
}

const KEPT: Record<Appointment['what'], (sandbox: Sandbox, id: string) => void> = {
  'session-expires': (sandbox, id) => expireSession(sandbox, findSession(sandbox, id)),
  'payment-succeeds': (sandbox, id) => settle(sandbox, id, true),
  'payment-fails': (sandbox, id) => settle(sandbox, id, false),
  'refund-succeeds': (sandbox, id) => completeRefund(sandbox, findRefund(sandbox, id)),
  'refund-fails': (sandbox, id) => failRefund(sandbox, findRefund(sandbox, id)),
}

/** The delayed result of a payment; its session, if any, hears of it. */
export function settle(sandbox: Sandbox, paymentId: string, succeeds: boolean): void {
  const intent = findPayment(sandbox, paymentId)
  settlePayment(sandbox, intent, succeeds)
  const session = sessionOf(sandbox, intent.id)
  if (session) followIntent(sandbox, session)
}
