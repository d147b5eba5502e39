import { invalid, noSuch, ProviderError } from '../errors.ts'
import type { Answer } from '../http.ts'
import { changeCustomer, findCustomer } from '../resources/customers.ts'
import { attach, detach, findMethod, newMethod } from '../resources/methods.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Form } from '../schema/form.ts'
import type { Customer, PaymentMethod, PortalConfiguration, PortalSession } from '../store.ts'
import { cardField, readNumber } from './cards.ts'
import { type Html, html, page, problemIn, redirect } from './html.ts'

/** The link is a key: it opens the account for an hour. */
const OPEN_SECONDS = 60 * 60

function findSession({ store, clock }: Sandbox, secret: string): PortalSession {
  const path = `/p/session/${secret}`
  const session = [...store.portalSessions.values()].find((it) => it.url.endsWith(path))
  if (!session || session.created + OPEN_SECONDS <= clock.seconds()) {
    throw noSuch('portal session', 'this link, or it has expired')
  }
  return session
}

type Features = PortalConfiguration['features']

function featuresOf({ store }: Sandbox, session: PortalSession): Features {
  const configuration = store.portalConfigurations.get(session.configuration)
  if (!configuration) throw noSuch('configuration', session.configuration)
  return configuration.features
}

/** The customer's own page: their saved methods, and their address for mail where it may change. */
export function showPortal(sandbox: Sandbox, secret: string, status = 200, problem = ''): Answer {
  const session = findSession(sandbox, secret)
  const customer = findCustomer(sandbox, session.customer)
  const features = featuresOf(sandbox, session)
  const methods = [...sandbox.store.paymentMethods.values()].filter(
    (it) => it.customer === customer.id,
  )
  const changes = features.payment_method_update.enabled
  const content = html`${problemIn(problem)}
<h2>Payment methods</h2>
<ul>
${methods.map((it) => methodLine(it, customer, changes))}</ul>
${changes ? addForm() : html``}
${features.customer_update.enabled ? detailsForm(customer) : html``}
${session.return_url ? html`<p><a href="${session.return_url}">Back to the shop</a></p>` : html``}`
  return page(status, 'Your account', content)
}

function methodLine(method: PaymentMethod, customer: Customer, changes: boolean): Html {
  const isDefault = customer.invoice_settings.default_payment_method === method.id
  const { card, sepa_debit: account } = method
  const text = card
    ? `${card.brand} •••• ${card.last4}, ${card.exp_month}/${card.exp_year}`
    : `Bank account •••• ${account?.last4 ?? ''}`
  const buttons = html`<form method="post">
<input type="hidden" name="method" value="${method.id}">
<button name="action" value="default">Make default</button>
<button name="action" value="remove">Remove</button>
</form>`
  return html`<li>${text}${isDefault ? ' (default)' : ''} ${changes ? buttons : html``}</li>\n`
}

function addForm(): Html {
  return html`<form method="post">
<p>${cardField()}</p>
<button name="action" value="add">Add card</button>
</form>`
}

function detailsForm({ email, name }: Customer): Html {
  return html`<h2>Details</h2>
<form method="post">
<p><label>Name <input name="name" value="${name ?? ''}"></label></p>
<p><label>Email <input name="email" type="email" value="${email ?? ''}"></label></p>
<button name="action" value="update">Save</button>
</form>`
}

/** Takes a form; `action`: `add` with `card`, `remove` or `default` with `method`, or `update`. */
export function submitPortal(sandbox: Sandbox, secret: string, form: Form): Answer {
  const session = findSession(sandbox, secret)
  try {
    act(sandbox, session, form)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return showPortal(sandbox, secret, error.status, error.message)
  }
  return redirect(session.url)
}

function act(sandbox: Sandbox, session: PortalSession, form: Form): void {
  const customer = findCustomer(sandbox, session.customer)
  const features = featuresOf(sandbox, session)
  const { action } = form
  if (action === 'update') {
    if (!features.customer_update.enabled) throw invalid('Details cannot be changed here.')
    updateDetails(sandbox, customer, form, features.customer_update.allowed_updates)
    return
  }
  if (!features.payment_method_update.enabled) {
    throw invalid('Payment methods cannot be changed here.')
  }
  if (action === 'add') add(sandbox, customer, form)
  else change(sandbox, customer, findMethod(sandbox, textIn(form, 'method')), action)
}

function change(
  sandbox: Sandbox,
  customer: Customer,
  method: PaymentMethod,
  action: Form[string] | undefined,
): void {
  if (method.customer !== customer.id) throw noSuch('PaymentMethod', method.id)
  if (action === 'remove') detach(sandbox, method)
  else if (action === 'default') makeDefault(sandbox, customer, method)
  else throw invalid('Unknown action.', { param: 'action' })
}

function textIn(form: Form, name: string): string {
  const value = form[name]
  return typeof value === 'string' ? value : ''
}

function add(sandbox: Sandbox, customer: Customer, form: Form): void {
  const method = newMethod(sandbox, readNumber(form.card))
  attach(sandbox, method, customer.id)
  // Whoever saves a card in person has answered their bank.
  const nature = sandbox.store.natures.get(method.id)
  if (nature) nature.setUp = true
  makeDefault(sandbox, customer, method)
}

function makeDefault(sandbox: Sandbox, customer: Customer, { id }: PaymentMethod): void {
  const before = structuredClone(customer)
  const settings = { ...customer.invoice_settings, default_payment_method: id }
  changeCustomer(sandbox, customer, before, { invoice_settings: settings })
}

function updateDetails(
  sandbox: Sandbox,
  customer: Customer,
  form: Form,
  allowed: readonly string[],
): void {
  const given = ['name', 'email'].filter((it) => allowed.includes(it) && it in form)
  const fields = given.map((it) => [it, textIn(form, it).slice(0, 500) || null])
  changeCustomer(sandbox, customer, structuredClone(customer), Object.fromEntries(fields))
}
