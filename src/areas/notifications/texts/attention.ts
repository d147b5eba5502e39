import { formatAmount, isCurrency } from '#lib/currency.ts'
import type { Fact, Message } from './kinds.ts'

/** What a machine or a rule said: a word for programs, and a sentence that may be anybody's. */
export type Failure = { code: string; detail: string }

/** What is about money, with whatever is known of it: ids, amounts, words of a provider. */
export const MONEY_TOPICS = [
  'bank_entries_open',
  'books_differ',
  'books_not_read',
  'change_not_credited',
  'dispute_fee_currency',
  'event_not_applied',
  'event_of_other_mode',
  'gateway_unhealthy',
  'late_payment',
  'payment_disputed',
  'payment_mismatch',
  'payment_not_started',
  'refund_beyond_credit',
  'refund_by_hand',
  'refund_failed',
  'refund_mismatch',
  'refund_not_sent',
  'webhook_not_registered',
] as const
export type MoneyTopic = (typeof MONEY_TOPICS)[number]

type TaskAction = 'create' | 'change' | 'suspend' | 'resume' | 'end'

export type Details = Readonly<Record<string, string | number | null>>

/** Everything administrators have to look at, and what each text is made of. */
export type AttentionFacts = { [T in MoneyTopic]: Details } & {
  /** `others`: so many further services could not be renewed for the same reason. */
  renewal_failed: { name: string; others: number } & Failure
  reinstall_failed: { name: string }
  upgrade_failed: { name: string } & Failure
  task_created: { name: string; action: TaskAction; dueOn: string }
  /** `detail` is the host of a system that has not confirmed it, and what it said else. */
  delivery_failed: {
    name: string
    action: TaskAction
    code: 'refused' | 'not_done' | 'unanswered' | 'unconfirmed'
    detail: string
  }
  service_stuck: { name: string; goal: 'active' | 'suspended' | 'ended' | 'deleted' } & Failure
  setup_failed: { name: string } & Failure
  setup_waits: { name: string } & Failure
  vat_number_refused: { email: string; vatNumber: string }
  /** Products that are made of eggs which have changed, with what keeps each from being made. */
  eggs_changed: { eggs: readonly string[]; products: readonly { name: string; faults: string }[] }
  /** A product that was sold until now and cannot be delivered any more, with what stands in the way. */
  product_not_sold: { name: string; faults: readonly string[] }
  endpoint_disabled: { host: string; reason: 'gone' | 'failing' }
  mail_server_failing: { host: string; answer: string }
  /** A mail was sent with the standard text: a placeholder of the shop's own text had no value. */
  mail_text_not_used: { subject: string; language: string; placeholder: string }
  /** The file of an import that was to be undone and is not. */
  import_not_undone: { file: string; inUse: boolean }
  /** Nobody takes the notice that a service is about to be suspended, or ended, on a day. */
  warning_refused: { name: string; step: 'suspension' | 'end'; on: string }
  /** So many services that failed wait for staff: the shop's settings do not refund them. */
  failed_not_refunded: { count: number }
  /** The invoices after an import, compared with its preview. `unexplained`: customers with such a difference. */
  import_reconciled: { file: string; days: number; customers: number; unexplained: number }
}

export type Topic = keyof AttentionFacts

/** Whose work a matter is: those who hold this permission are told. */
const PERMISSIONS: Readonly<Record<Exclude<Topic, MoneyTopic>, string>> = {
  renewal_failed: 'services:read',
  reinstall_failed: 'services:read',
  upgrade_failed: 'services:read',
  task_created: 'tasks:read',
  delivery_failed: 'services:read',
  service_stuck: 'services:read',
  setup_failed: 'services:read',
  setup_waits: 'services:read',
  vat_number_refused: 'users:read',
  eggs_changed: 'store:read',
  product_not_sold: 'store:read',
  endpoint_disabled: 'webhooks:read',
  mail_server_failing: 'system:read',
  mail_text_not_used: 'system:read',
  import_not_undone: 'imports:read',
  warning_refused: 'services:read',
  failed_not_refunded: 'services:read',
  import_reconciled: 'imports:read',
}

/** Money matters of a gateway are for those who may see gateways; all others for those who see invoices. */
const OF_GATEWAYS: ReadonlySet<Topic> = new Set<MoneyTopic>([
  ...(['books_differ', 'books_not_read', 'event_not_applied', 'event_of_other_mode'] as const),
  ...(['gateway_unhealthy', 'webhook_not_registered'] as const),
])

/** The permission whose holders are told of a topic. */
export function permissionFor(topic: Topic): string {
  if (topic in PERMISSIONS) return PERMISSIONS[topic as keyof typeof PERMISSIONS]
  return OF_GATEWAYS.has(topic) ? 'gateways:read' : 'invoices:read'
}

/** One thing to look at. */
export type AttentionAbout = { [T in Topic]: { topic: T; facts: AttentionFacts[T] } }[Topic]

/** What administrators are told of their work, in one language. */
export type AttentionTexts = { readonly [T in Topic]: (facts: AttentionFacts[T]) => Message }

/** What administrators are told of one thing. */
export function attentionText<T extends Topic>(
  texts: AttentionTexts,
  { topic, facts }: { topic: T; facts: AttentionFacts[T] },
): Message {
  return texts[topic](facts)
}

/** The names of details that have a word of their own. */
type Label =
  | 'accountId'
  | 'amountCents'
  | 'askedCents'
  | 'attemptId'
  | 'code'
  | 'count'
  | 'disputeId'
  | 'eventId'
  | 'eventKey'
  | 'gatewayId'
  | 'message'
  | 'name'
  | 'objectId'
  | 'paymentId'
  | 'receivedCents'
  | 'refundCents'
  | 'refundId'
  | 'requestedCents'
  | 'state'
  | 'statementId'
  | 'type'
  | 'userId'
  | 'why'

/** The failures that we name ourselves. */
type KnownFailure =
  | 'account_busy'
  | 'backups_in_use'
  | 'country_unknown'
  | 'databases_in_use'
  | 'disk_in_use'
  | 'given_up'
  | 'no_blueprint'
  | 'no_capacity'
  | 'no_customer'
  | 'no_egg'
  | 'no_panel'
  | 'node_deleted'
  | 'not_done'
  | 'ports_in_use'
  | 'server_gone'
  | 'service_ended'
  | 'tax_rate_unknown'
  | 'trial_used'
  | 'unexpected'
  | 'unmanaged'

/** The words in which a language reports details and failures. */
export type ReportWords = {
  readonly locale: string
  /** Stands between a name and what it names. */
  readonly colon: string
  readonly labels: Readonly<Record<Label, string>>
  readonly failures: Readonly<Record<KnownFailure, string>>
}

/** A failure in the words of a language; what only its sender can have put into words is quoted. */
export function failureIn({ failures, colon }: ReportWords, { code, detail }: Failure): string {
  const known = Object.hasOwn(failures, code)
  return known ? failures[code as KnownFailure] : `${code}${colon}${detail}`
}

/** Details as a body of one line each, and as rows. The currency of an amount has no row of its own. */
export function detailsIn(
  words: ReportWords,
  details: Details,
): Pick<Message, 'body' | 'rows' | 'isListed'> {
  const { locale, colon, labels } = words
  const rows = Object.entries(details).flatMap(([name, value]): Fact[] => {
    if (/currency$/i.test(name)) return []
    const label = Object.hasOwn(labels, name) ? labels[name as Label] : name
    return [[label, String(amountIn(details, name, locale) ?? value ?? '-')]]
  })
  const body = rows.map(([label, value]) => `${label}${colon}${value}`).join('\n')
  return { body, rows, isListed: true }
}

function amountIn(details: Details, name: string, locale: string): string | null {
  const value = details[name]
  if (!name.endsWith('Cents') || typeof value !== 'number') return null
  const currency = details[name.replace(/Cents$/, 'Currency')] ?? details.currency
  if (typeof currency !== 'string' || !isCurrency(currency)) return null
  return formatAmount(value, currency, locale)
}
