import { formatAmount } from '../amounts.ts'
import { noSuch, ProviderError } from '../errors.ts'
import type { Answer } from '../http.ts'
import { authenticate, sessionOf } from '../resources/checkout.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Form } from '../schema/form.ts'
import type { PaymentIntent, SetupIntent } from '../store.ts'
import { html, page, redirect } from './html.ts'
import { afterSubmit } from './pay.ts'

type Intent = PaymentIntent | SetupIntent

function findIntent({ store }: Sandbox, id: string): Intent {
  const intent = store.paymentIntents.get(id) ?? store.setupIntents.get(id)
  if (!intent) throw noSuch('intent', id)
  return intent
}

/** The bank's question: is it you who pays? */
export function showAuthentication(sandbox: Sandbox, id: string): Answer {
  const intent = findIntent(sandbox, id)
  if (intent.status !== 'requires_action') return goOn(sandbox, intent)
  const what =
    intent.object === 'payment_intent'
      ? `the payment of ${formatAmount(intent.amount, intent.currency)}`
      : 'saving the card'
  const content = html`<p>Your bank asks you to confirm ${what}.</p>
<form method="post">
<button name="action" value="accept">Accept</button>
<button name="action" value="refuse">Refuse</button>
</form>`
  return page(200, 'Your bank asks', content)
}

/** Takes the answer: `action` is `accept`; anything else refuses. */
export function submitAuthentication(sandbox: Sandbox, id: string, form: Form): Answer {
  const intent = findIntent(sandbox, id)
  if (intent.status !== 'requires_action') return goOn(sandbox, intent)
  try {
    authenticate(sandbox, intent, form.action === 'accept')
  } catch (error) {
    // The intent keeps what the bank said, and the next page shows it.
    if (!(error instanceof ProviderError) || error.status !== 402) throw error
  }
  return goOn(sandbox, intent)
}

function goOn(sandbox: Sandbox, intent: Intent): Answer {
  const session = sessionOf(sandbox, intent.id)
  if (session) return afterSubmit(sandbox, session)
  const returnUrl = URL.parse(sandbox.store.returnUrls.get(intent.id) ?? '')
  if (!returnUrl) return page(200, 'Done', html`<p>You may close this page.</p>`)
  const failed = intent.status === 'requires_payment_method'
  returnUrl.searchParams.set(intent.object, intent.id)
  returnUrl.searchParams.set(`${intent.object}_client_secret`, intent.client_secret ?? '')
  returnUrl.searchParams.set('redirect_status', failed ? 'failed' : intent.status)
  return redirect(returnUrl.href)
}
