import { plural } from '#lib/plural.ts'
import { type AttentionTexts, detailsIn, failureIn, type ReportWords } from '../attention.ts'
import { dayText } from '../days.ts'

function day(value: string): string {
  return dayText(value, 'en-GB')
}

const words: ReportWords = {
  locale: 'en',
  colon: ': ',
  labels: {
    amountCents: 'Amount',
    accountId: 'Account',
    askedCents: 'Expected',
    attemptId: 'Attempt',
    code: 'Code',
    count: 'Count',
    disputeId: 'Dispute',
    eventId: 'Event',
    eventKey: 'Event of the provider',
    gatewayId: 'Payment gateway',
    message: 'Answer',
    name: 'Name',
    objectId: 'Id at the provider',
    paymentId: 'Payment',
    receivedCents: 'Received',
    refundCents: 'Refunded',
    refundId: 'Refund',
    requestedCents: 'Requested',
    state: 'State',
    statementId: 'Bank statement',
    type: 'Type',
    userId: 'Customer',
    why: 'Difference',
  },
  failures: {
    account_busy: 'The customer’s account on the panel is being created by another process.',
    backups_in_use: 'The server has more backups than the new product has.',
    country_unknown: 'The country of the customer is unknown.',
    databases_in_use: 'The server has more databases than the new product has.',
    disk_in_use: 'The server uses more disk than the new product has.',
    given_up: 'An operator canceled it.',
    no_blueprint: 'The product has no provisioning.',
    no_capacity: 'There is no room for it.',
    no_customer: 'The customer no longer exists.',
    no_egg: 'The egg of the product is not on this panel.',
    no_panel: 'None of the product’s panels has the egg.',
    node_deleted: 'The connection to the panel was deleted.',
    not_done: 'The panel confirmed the change but did not make it.',
    ports_in_use: 'The server has more ports than the new product has.',
    server_gone: 'The server is not on the panel.',
    service_ended: 'The service has ended or is about to end.',
    tax_rate_unknown: 'There is no tax rate for the country of the customer.',
    trial_used: 'Another customer has tried this product with the same account on the panel.',
    unexpected: 'Its invoice could not be created. The log has the reason.',
    unmanaged: 'Its server is not on a connected panel. Please manage it by hand.',
  },
}

const GOALS = {
  active: 'be started',
  suspended: 'be suspended',
  ended: 'be shut down',
  deleted: 'be deleted',
} as const

const TASKS = {
  create: 'Deliver',
  change: 'Change',
  suspend: 'Suspend',
  resume: 'Lift the suspension of',
  end: 'End',
} as const

const DELIVERIES = {
  create: 'The delivery',
  change: 'The change',
  suspend: 'The suspension',
  resume: 'The end of the suspension',
  end: 'The end',
} as const

const DISABLED = {
  gone: 'It answered 410 Gone: it no longer accepts events.',
  failing: 'Deliveries to it have failed for five days.',
} as const

/** What administrators are told of their work, in English. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title: `${it.others > 0 ? `${it.name} and ${it.others === 1 ? '1 other' : `${it.others} others`}` : it.name} could not be renewed`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `${it.name} could not be reinstalled`,
    body: `The reinstallation of ${it.name} failed on the panel.`,
  }),
  upgrade_failed: (it) => ({
    title: `${it.name} could not be changed`,
    body: failureIn(words, it),
  }),
  task_created: (it) => ({
    title: `New task: ${TASKS[it.action]} ${it.name}`,
    body: `It is due on ${day(it.dueOn)}.`,
  }),
  delivery_failed: ({ name, action, code, detail }) =>
    code === 'unconfirmed'
      ? {
          title: `${DELIVERIES[action]} of ${name} has not been confirmed`,
          body: `Your system at ${detail} has not confirmed it in time. Please check the system; the page of the service shows each attempt.`,
        }
      : {
          title: `${DELIVERIES[action]} of ${name} failed`,
          body:
            code === 'unanswered'
              ? `Your system did not confirm it within three days of attempts. Last result: ${detail}`
              : `Your system reported: ${detail}`,
        },
  service_stuck: (it) => ({
    title: `The server of ${it.name} could not ${GOALS[it.goal]}`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `${it.name} could not be set up`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `${it.name} is waiting to be set up`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'A VAT number is not in the EU’s register',
    body: `${it.email}: ${it.vatNumber}. The next invoices include VAT.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'A changed egg prevents new servers of some products'
      : 'An egg used by products has changed',
    body: [
      `Eggs: ${eggs.join(', ')}`,
      ...products.map(
        ({ name, faults }) => `${name}: ${faults || 'new servers can be created as before'}`,
      ),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `${name} is no longer sold`,
    body: [
      'It can no longer be delivered, so the shop neither lists nor sells it. Existing services continue.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `The webhook endpoint ${it.host} was disabled`,
    body: `${DISABLED[it.reason]} New events are kept and can be sent again.`,
  }),
  mail_server_failing: (it) => ({
    title: `The mail server ${it.host} does not accept mails`,
    body: `Mails are retried for more than a day. Please check the settings of the mail server. Its answer: ${it.answer}`,
  }),
  mail_text_not_used: (it) => ({
    title: 'Your text for a mail was not used',
    body: `The standard text was sent instead of “${it.subject}” (${it.language}): the placeholder {{${it.placeholder}}} has no value in that mail.`,
    action: 'View the text',
  }),
  import_not_undone: ({ file, inUse }) => ({
    title: `The import of ${file} was not undone`,
    body: inUse
      ? 'Its records are in use by now. The page of the import lists them.'
      : 'All attempts to undo it failed, and nothing was removed. The log has the reason. You can try again.',
  }),
  warning_refused: (it) => ({
    title: `Our notices about ${it.name} do not arrive`,
    body:
      it.step === 'end'
        ? `We could not email the customer that the service ends because it is unpaid. It still ends, on ${day(it.on)} at the earliest. Until then, you can contact the customer another way or send the email again.`
        : `We could not email the customer that the server will be suspended because it is unpaid. It is still suspended, on ${day(it.on)} at the earliest. Until then, you can contact the customer another way or send the email again.`,
  }),
  failed_not_refunded: ({ count }) => ({
    title: `${count} failed ${plural('en', count, 'service is', 'services are')} not refunded automatically`,
    body: 'The daily limit of automatic refunds is reached, or a refund is not possible. Check whether the panel works, then retry or refund the services.',
  }),
  import_reconciled: (it) => ({
    title: `The first ${it.days} days after the import of ${it.file} are reconciled`,
    body:
      it.unexplained === 0
        ? `All ${it.customers} customers were billed as previewed, or the difference is explained.`
        : `${it.unexplained} of ${it.customers} customers were billed another amount than previewed, without a known reason. Check them.`,
  }),
  bank_entries_open: (it) => ({
    title: 'A bank transfer with an unknown reference arrived',
    ...detailsIn(words, it),
  }),
  books_differ: (it) => ({
    title: 'The records of a payment provider differ from ours',
    ...detailsIn(words, it),
  }),
  books_not_read: (it) => ({
    title: 'A payment provider refused access to its list of payments',
    ...detailsIn(words, it),
  }),
  change_not_credited: (it) => ({
    title: 'A change of plan was not credited in full, because a payment is disputed',
    ...detailsIn(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'A dispute fee in another currency was not booked',
    ...detailsIn(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'An event of a payment provider could not be processed',
    ...detailsIn(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'A payment gateway received an event of the other mode',
    ...detailsIn(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'The credentials of a payment gateway are no longer accepted',
    ...detailsIn(words, it),
  }),
  late_payment: (it) => ({
    title: 'A payment arrived for an invoice that was no longer open',
    ...detailsIn(words, it),
  }),
  payment_disputed: (it) => ({ title: 'A payment is disputed', ...detailsIn(words, it) }),
  payment_mismatch: (it) => ({
    title: 'A payment differs from what was requested and was not booked',
    ...detailsIn(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'A payment could not be started',
    ...detailsIn(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'A refund at the provider was larger than the customer’s balance',
    ...detailsIn(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'A refund must be paid out by hand',
    ...detailsIn(words, it),
  }),
  refund_failed: (it) => ({
    title: 'A refund failed and was added to the customer’s credit',
    ...detailsIn(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'A refund does not match its payment and was not booked',
    ...detailsIn(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'A refund could not be sent to its provider',
    ...detailsIn(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'The webhook could not be registered at a payment provider',
    ...detailsIn(words, it),
  }),
}
