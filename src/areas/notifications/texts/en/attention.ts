import { type AttentionTexts, failureIn, linesOf, type ReportWords } from '../attention.ts'

const words: ReportWords = {
  locale: 'en',
  colon: ': ',
  labels: {
    amountCents: 'Amount',
    accountId: 'Account',
    askedCents: 'Asked for',
    attemptId: 'Attempt',
    code: 'Code',
    count: 'How many',
    disputeId: 'Dispute',
    eventId: 'Message',
    eventKey: 'Message of the provider',
    gatewayId: 'Payment gateway',
    message: 'What was said',
    name: 'Name',
    objectId: 'At the provider',
    paymentId: 'Payment',
    receivedCents: 'Received',
    refundCents: 'Refunded',
    refundId: 'Refund',
    requestedCents: 'Requested',
    state: 'State',
    statementId: 'Bank statement',
    type: 'Type',
    userId: 'Customer',
    why: 'What differs',
  },
  failures: {
    account_busy: 'The customer’s account on the panel is being set up by somebody else.',
    backups_in_use: 'The server has more backups than the new product has.',
    country_unknown: 'We do not know the country of the customer.',
    databases_in_use: 'The server has more databases than the new product has.',
    disk_in_use: 'The server uses more disk than the new product has.',
    given_up: 'An operator gave it up.',
    no_blueprint: 'The product does not say what to install.',
    no_capacity: 'There is no room for it.',
    no_customer: 'The customer is gone.',
    no_egg: 'The egg of the product is not on this panel.',
    no_panel: 'The egg is on none of the panels of the product.',
    node_deleted: 'The connection to the panel was deleted.',
    not_done: 'The panel said that it was done, and it was not.',
    ports_in_use: 'The server has more ports than the new product has.',
    server_gone: 'The server is not on the panel.',
    service_ended: 'The service has ended, or is about to.',
    tax_rate_unknown: 'No tax rate is known for the country of the customer.',
    trial_used: 'Another customer has tried this product with the same account on the panel.',
    unexpected: 'Its invoice could not be written. The log says why.',
    unmanaged: 'Its server is on no panel that is connected. Please look after it by hand.',
  },
}

const GOALS = {
  active: 'run again',
  suspended: 'be suspended',
  ended: 'be shut down',
  deleted: 'be deleted',
} as const

const DISABLED = {
  gone: 'It answered 410: it does not want to hear of anything any more.',
  failing: 'For five days nothing has arrived there.',
} as const

/** What administrators are told of their work, in English. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title: `${it.others > 0 ? `${it.name} and ${it.others === 1 ? '1 other' : `${it.others} others`}` : it.name} could not be renewed`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `${it.name} could not be reinstalled`,
    body: `The installation of ${it.name} on the panel did not end well.`,
  }),
  upgrade_failed: (it) => ({
    title: `${it.name} could not be changed`,
    body: failureIn(words, it),
  }),
  service_stuck: (it) => ({
    title: `The server of ${it.name} could not ${GOALS[it.goal]}`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `${it.name} could not be set up`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `${it.name} waits to be set up`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'A VAT number is not in the EU’s register',
    body: `${it.email}: ${it.vatNumber}. Further invoices bear VAT.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'A changed egg keeps servers of products from being made'
      : 'An egg of products has changed',
    body: [
      `Eggs: ${eggs.join(', ')}`,
      ...products.map(({ name, faults }) => `${name}: ${faults || 'can be made as before'}`),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `${name} is no longer sold`,
    body: [
      'No server can be made of it, so the shop neither shows nor sells it. Services that have it go on.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `The webhook endpoint ${it.host} was switched off`,
    body: `${DISABLED[it.reason]} What happens from now on is kept, and can be sent again.`,
  }),
  warning_refused: (it) => ({
    title: `Nobody takes our notices about ${it.name}`,
    body:
      it.step === 'end'
        ? `Its customer could not be told by mail that the service ends for want of payment. It ends on ${it.on} all the same, at the earliest. Until then you can reach them in another way, or send the mail again.`
        : `Its customer could not be told by mail that the server is suspended for want of payment. It is suspended on ${it.on} all the same, at the earliest. Until then you can reach them in another way, or send the mail again.`,
  }),
  bank_entries_open: (it) => ({
    title: 'Money came in by bank, and its reference says nothing to us',
    body: linesOf(words, it),
  }),
  books_differ: (it) => ({
    title: 'The books of a payment provider differ from ours',
    body: linesOf(words, it),
  }),
  books_not_read: (it) => ({
    title: 'A payment provider does not let its list of payments be read',
    body: linesOf(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'A dispute fee in another currency was not booked',
    body: linesOf(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'A message of a payment provider could not be applied',
    body: linesOf(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'A payment gateway received a message of the other mode',
    body: linesOf(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'A payment gateway no longer accepts its credentials',
    body: linesOf(words, it),
  }),
  late_payment: (it) => ({
    title: 'Money came in for an invoice that was no longer open',
    body: linesOf(words, it),
  }),
  payment_disputed: (it) => ({ title: 'A payment is disputed', body: linesOf(words, it) }),
  payment_mismatch: (it) => ({
    title: 'A payment does not fit what was asked for, and was not booked',
    body: linesOf(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'A payment could not be started',
    body: linesOf(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'A refund at the provider was more than the customer had left',
    body: linesOf(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'A refund is to be paid out by hand',
    body: linesOf(words, it),
  }),
  refund_failed: (it) => ({
    title: 'A refund failed and became credit',
    body: linesOf(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'A refund does not fit its payment, and was not booked',
    body: linesOf(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'A refund could not be sent to its provider',
    body: linesOf(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'A payment provider could not be told where to report',
    body: linesOf(words, it),
  }),
}
