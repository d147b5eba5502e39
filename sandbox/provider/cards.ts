/** Why a bank says no. `code` is the error's, `reason` its `decline_code`. */
export type Decline = { code: string; reason: string; message: string; advice?: string }

/** When the holder must prove to be present: never, until set up for later, or each time. */
type Authentication = 'never' | 'until-set-up' | 'always'

/** One test card: how it behaves when it is saved, charged and later. */
export type TestCard = {
  number: string
  label: string
  brand: string
  /** Names it goes by in place of a payment method's id. */
  names: string[]
  authentication: Authentication
  /** Says no already when it is attached or set up. */
  refusesSaving: boolean
  decline?: Decline
  dispute?: 'inquiry' | 'chargeback'
  refund?: 'pending' | 'fails'
}

const DECLINED = 'Your card was declined.'

const declines = {
  generic: { code: 'card_declined', reason: 'generic_decline', message: DECLINED },
  funds: {
    code: 'card_declined',
    reason: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
    advice: 'try_again_later',
  },
  lost: lostOrStolen('lost_card'),
  stolen: lostOrStolen('stolen_card'),
  fraudulent: lostOrStolen('fraudulent'),
  expired: {
    code: 'expired_card',
    reason: 'expired_card',
    message: 'Your card has expired.',
    advice: 'confirm_card_data',
  },
  cvc: {
    code: 'incorrect_cvc',
    reason: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
    advice: 'confirm_card_data',
  },
  processing: {
    code: 'processing_error',
    reason: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
    advice: 'try_again_later',
  },
} satisfies Record<string, Decline>

function lostOrStolen(reason: string): Decline {
  return { code: 'card_declined', reason, message: DECLINED, advice: 'do_not_try_again' }
}

/** What a card says that has run out by the sandbox's clock. */
export const EXPIRED: Decline = declines.expired

/** What an off-session charge says when the bank wants the holder. */
export const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  reason: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

type Rest = Partial<Omit<TestCard, 'number' | 'label' | 'names'>>

function card(number: string, label: string, names: string[], rest: Rest = {}): TestCard {
  const { brand = 'visa', authentication = 'never', refusesSaving = false, ...more } = rest
  return { number, label, names, brand, authentication, refusesSaving, ...more }
}

const refused = (decline: Decline): Rest => ({ decline, refusesSaving: true })

/** Every card the sandbox knows, as the provider's own list of test cards has them. */
export const TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', 'Succeeds (Visa)', ['pm_card_visa', 'tok_visa']),
  card('5555555555554444', 'Succeeds (Mastercard)', ['pm_card_mastercard', 'tok_mastercard'], {
    brand: 'mastercard',
  }),
  card('378282246310005', 'Succeeds (American Express)', ['pm_card_amex', 'tok_amex'], {
    brand: 'amex',
  }),
  card(
    '4000000000000002',
    'Declined',
    ['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined', 'tok_chargeDeclined'],
    refused(declines.generic),
  ),
  card(
    '4000000000009995',
    'Declined: insufficient funds',
    ['pm_card_chargeDeclinedInsufficientFunds', 'pm_card_visa_chargeDeclinedInsufficientFunds'],
    refused(declines.funds),
  ),
  card(
    '4000000000009987',
    'Declined: lost card',
    ['pm_card_chargeDeclinedLostCard', 'pm_card_visa_chargeDeclinedLostCard'],
    refused(declines.lost),
  ),
  card(
    '4000000000009979',
    'Declined: stolen card',
    ['pm_card_chargeDeclinedStolenCard', 'pm_card_visa_chargeDeclinedStolenCard'],
    refused(declines.stolen),
  ),
  card(
    '4100000000000019',
    'Declined: suspected fraud',
    ['pm_card_radarBlock', 'pm_card_chargeDeclinedFraudulent'],
    refused(declines.fraudulent),
  ),
  card(
    '4000000000000069',
    'Declined: expired card',
    ['pm_card_chargeDeclinedExpiredCard'],
    refused(declines.expired),
  ),
  card(
    '4000000000000127',
    'Declined: wrong security code',
    ['pm_card_chargeDeclinedIncorrectCvc'],
    refused(declines.cvc),
  ),
  card(
    '4000000000000119',
    'Declined: processing error',
    ['pm_card_chargeDeclinedProcessingError'],
    refused(declines.processing),
  ),
  card('4000000000000341', 'Can be saved, charges fail', ['pm_card_chargeCustomerFail'], {
    decline: declines.generic,
  }),
  card(
    '4000002500003155',
    'Authentication until it is saved',
    ['pm_card_authenticationRequiredOnSetup'],
    { authentication: 'until-set-up' },
  ),
  card('4000002760003184', 'Authentication each time', ['pm_card_authenticationRequired'], {
    authentication: 'always',
  }),
  card('4000000000003220', 'Authentication each time (3DS 2)', ['pm_card_threeDSecure2Required'], {
    authentication: 'always',
  }),
  card(
    '4000008260003178',
    'Authentication, then insufficient funds',
    ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'],
    { authentication: 'always', decline: declines.funds },
  ),
  card('4000000000000259', 'Succeeds, then disputed as fraud', ['pm_card_createDispute'], {
    dispute: 'chargeback',
  }),
  card('4000000000001976', 'Succeeds, then an inquiry', ['pm_card_createDisputeInquiry'], {
    dispute: 'inquiry',
  }),
  card('4000000000007726', 'Succeeds, refunds are slow', ['pm_card_pendingRefund'], {
    refund: 'pending',
  }),
  card('4000000000005126', 'Succeeds, refunds fail later', ['pm_card_refundFail'], {
    refund: 'fails',
  }),
]

/** Bank accounts, whose payments take days: the first is debited, the second is not. */
export const TEST_ACCOUNTS = [
  { number: 'AT611904300234573201', label: 'Bank debit, succeeds later', succeeds: true },
  { number: 'AT861904300235473202', label: 'Bank debit, fails later', succeeds: false },
] as const

export function findCard(number: string): TestCard | undefined {
  return TEST_CARDS.find((it) => it.number === number)
}

/** The card a shared name such as `pm_card_visa` or `tok_visa` stands for. */
export function cardNamed(name: string): TestCard | undefined {
  return TEST_CARDS.find((it) => it.names.includes(name))
}

export function findAccount(number: string) {
  return TEST_ACCOUNTS.find((it) => it.number === number)
}

/** The check digit every card number ends in. */
export function hasValidCheckDigit(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  let sum = 0
  for (const [index, digit] of [...number].reverse().entries()) {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
