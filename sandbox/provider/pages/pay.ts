import { formatAmount } from '../amounts.ts'
import { ProviderError } from '../errors.ts'
import type { Answer } from '../http.ts'
import { submitSession, successUrlOf } from '../resources/checkout.ts'
import { findSession } from '../resources/sessions.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Form } from '../schema/form.ts'
import type { Session } from '../store.ts'
import { cardField, readNumber } from './cards.ts'
import { html, page, problemIn, redirect } from './html.ts'

/** The page of a session: what it costs, a choice of test cards, pay and cancel. */
export function showSession(sandbox: Sandbox, id: string): Answer {
  const session = findSession(sandbox, id)
  if (session.status === 'complete') return ended(session, 'This checkout is complete')
  if (session.status === 'expired') return ended(session, 'This checkout has expired')
  return payPage(sandbox, session, 200, lastProblem(sandbox, session))
}

/** Takes the form: `card` is a test number, `action` is `pay` or `cancel`. */
export function submitPage(sandbox: Sandbox, id: string, form: Form): Answer {
  const session = findSession(sandbox, id)
  if (session.status === 'complete') return redirect(successUrlOf(session))
  if (session.status === 'expired') return ended(session, 'This checkout has expired')
  if (form.action === 'cancel') {
    return redirect(session.cancel_url ?? `${sandbox.publicUrl}/c/pay/${id}`)
  }
  try {
    submitSession(sandbox, session, readNumber(form.card))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return payPage(sandbox, session, error.status, error.message)
  }
  return afterSubmit(sandbox, session)
}

/** Where the browser goes from a session: on to the shop, to its bank, or back to the page. */
export function afterSubmit(sandbox: Sandbox, session: Session): Answer {
  if (session.status === 'complete') return redirect(successUrlOf(session))
  const intent = intentOf(sandbox, session)
  const path = intent?.status === 'requires_action' ? `3ds/${intent.id}` : `c/pay/${session.id}`
  return redirect(`${sandbox.publicUrl}/${path}`)
}

function intentOf({ store }: Sandbox, { payment_intent: payment, setup_intent: setup }: Session) {
  return store.paymentIntents.get(payment ?? '') ?? store.setupIntents.get(setup ?? '')
}

function lastProblem(sandbox: Sandbox, session: Session): string | undefined {
  const intent = intentOf(sandbox, session)
  if (intent?.object === 'payment_intent') return intent.last_payment_error?.message
  return intent?.last_setup_error?.message
}

function payPage(
  { store }: Sandbox,
  session: Session,
  status: number,
  problem: string | undefined,
): Answer {
  const setup = session.mode === 'setup'
  const lines = (store.plans.get(session.id)?.lines ?? []).map((it) => {
    const amount = formatAmount(it.amount_total, it.currency)
    return html`<li>${it.quantity} × ${it.description}: ${amount}</li>\n`
  })
  const total = formatAmount(session.amount_total ?? 0, session.currency ?? 'eur')
  const content = html`${problemIn(problem)}
<ul>
${lines}</ul>
<form method="post">
<p>${cardField()}</p>
<button name="action" value="pay">${setup ? 'Save card' : `Pay ${total}`}</button>
<button name="action" value="cancel">Cancel</button>
</form>`
  return page(status, setup ? 'Save a card' : `Pay ${total}`, content)
}

function ended(session: Session, title: string): Answer {
  const url = session.status === 'complete' ? successUrlOf(session) : session.cancel_url
  const back = url ? html`<p><a href="${url}">Back to the shop</a></p>` : html``
  return page(session.status === 'complete' ? 200 : 410, title, back)
}
