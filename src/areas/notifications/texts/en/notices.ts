import { formatAmount } from '#lib/currency.ts'
import { attentionText } from '../attention.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'en')
}

const NOT_YOU = 'If this was not you, change your password and write to us.'
const UPGRADE_OBSTACLES = {
  no_capacity: 'There is no room for it at the moment.',
  disk_in_use: 'It uses more disk than that product has: delete what you do not need.',
  ports_in_use: 'It has more ports than that product has: remove some.',
  databases_in_use: 'It has more databases than that product has: delete some.',
  backups_in_use: 'It has more backups than that product has: delete some.',
}
const FACTORS = { totp: 'An authenticator app', passkey: 'A passkey' }

/** What people are told, in English. */
export const texts: Texts = {
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => ({
      title: `Your invoice ${it.number}`,
      body:
        it.dueCents > 0
          ? `${formatAmount(it.dueCents, it.currency, 'en')} are due${it.dueOn ? ` on ${it.dueOn}` : ''}.`
          : `Your invoice over ${amount(it)}. Nothing is left to pay.`,
    }),
    invoice_paid: (it) => ({
      title: `Invoice ${it.number} is paid`,
      body: `We have received ${amount(it)}. Thank you.`,
    }),
    payment_failed: (it) => ({
      title: it.number ? `The payment of invoice ${it.number} failed` : 'Your payment failed',
      body: `${amount(it)} could not be collected: ${PAYMENT_FAILURES[it.why]} You can pay again at any time.`,
    }),
    payment_action_required: (it) => ({
      title: 'Your bank wants you to confirm a payment',
      body: `Please confirm the payment of ${amount(it)}${it.number ? ` for invoice ${it.number}` : ''}.`,
    }),
    refund_made: (it) => ({
      title: `A refund for invoice ${it.number}`,
      body: it.toCredit
        ? `${amount(it)} were added to your credit.`
        : `${amount(it)} are on their way back to your payment method.`,
    }),
    credit_added: (it) => ({
      title: 'Credit was added to your account',
      body: `${amount(it)} were added to your credit. ${CREDIT_REASONS[it.why]}`,
    }),
    out_of_stock_credit: (it) => ({
      title: it.amountCents > 0 ? 'What you paid for is sold out' : 'What you ordered is sold out',
      body:
        it.amountCents > 0
          ? `Your payment arrived after the last one was sold. ${amount(it)} were added to your credit.`
          : 'Someone else got the last one while your order was processed. You were not charged.',
    }),
    service_active: (it) => ({
      title: `${it.name} is ready`,
      body: it.address ? `Your server is ready to play at ${it.address}.` : 'Your server is ready.',
    }),
    service_failed: (it) => ({
      title: `${it.name} could not be set up yet`,
      body: 'Your payment is safe. We are looking into it and will set your server up or refund you.',
    }),
    service_reinstalled: (it) => ({
      title: `${it.name} was reinstalled`,
      body: 'The installation has ended. You can start your server.',
    }),
    service_reinstall_failed: (it) => ({
      title: `${it.name} could not be reinstalled`,
      body: 'The installation did not end well. Check your settings and try again, or contact us.',
    }),
    server_crashed: (it) => ({
      title: `${it.name} has crashed`,
      body: 'Its last console output says why. You hear of it three times a day at most.',
    }),
    service_suspended: (it) => ({
      title: `${it.name} is suspended`,
      body: it.unpaid
        ? 'Nothing is deleted. Pay what is due and it comes back at once.'
        : 'Nothing is deleted. Please contact us to learn more.',
    }),
    service_reactivated: (it) => ({
      title: `${it.name} is back`,
      body: 'The server is no longer suspended. You can start it again.',
    }),
    service_ended: (it) => ({
      title: `${it.name} has ended`,
      body: it.deleteOn
        ? `The server was shut down. Its data is deleted on ${it.deleteOn}.`
        : 'The server was shut down and its data was deleted.',
    }),
    service_ending: (it) => ({
      title: `${it.name} ends on ${it.endsOn}`,
      body: 'It is not set to renew. Renew it before that day to keep the server.',
    }),
    renewal_invoice: (it) => ({
      title: `Invoice ${it.number} for ${it.name}`,
      body: `${amount(it)} are due on ${it.dueOn} for the next period.`,
    }),
    payment_reminder: (it) => ({
      title: `Please pay invoice ${it.number} for ${it.name}`,
      body:
        it.next === 'nothing'
          ? `${amount(it)} is due for the use of the server until it ended. The invoice was due on ${it.dueOn}.`
          : it.next === 'end'
            ? `${amount(it)} were due on ${it.dueOn}. The server is suspended, and without payment it ends on ${it.on}: its data is deleted some days later.`
            : `${amount(it)} are due on ${it.dueOn}. Without payment the server is suspended from ${it.on} on.`,
    }),
    price_change: (it) => ({
      title: `The price of ${it.name} changes`,
      body: `The first period that starts on or after ${it.effectiveFrom} costs ${amount(it)}. You can cancel before then.`,
    }),
    service_upgraded: (it) => ({
      title: `${it.name} is now ${it.product}`,
      body: 'The change is done. Restart the server to use its new limits.',
    }),
    upgrade_failed: (it) => ({
      title: `${it.name} could not be changed to ${it.product}`,
      body: it.isPaidBack
        ? 'It stays as it was, and what you paid for the change was added to your credit.'
        : 'It stays as it was.',
    }),
    upgrade_waiting: (it) => ({
      title: `${it.name} cannot become ${it.product} yet`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} It is tried again until ${it.until}; then it stays as it was, at its price.`,
    }),
    invitation: (it) => ({
      title: `${it.inviter} shares ${it.service} with you`,
      body: 'Open the invitation to accept or decline it.',
    }),
    commission_earned: (it) => ({
      title: `You have earned ${amount(it)}`,
      body: 'Somebody you brought has paid. You can use it when the waiting time is over.',
    }),
    commission_available: (it) => ({
      title: `${amount(it)} of your commission are available`,
      body: 'Their waiting time is over. From 20.00 on you can turn them into credit.',
    }),
    commission_reversed: (it) => ({
      title: `${amount(it)} of your commission were taken back`,
      body: 'A payment of somebody you brought was refunded, taken back by their bank, or not accepted.',
    }),
    commission_restored: (it) => ({
      title: `${amount(it)} of your commission are back`,
      body: 'A payment that had been taken back was paid after all.',
    }),
    impersonated: () => ({
      title: 'Somebody of our staff looks at your account',
      body: 'For at most 30 minutes they see what you see. They cannot see or change how you sign in or pay.',
    }),
    admin_attention: (it) => attentionText(attention, it),
    password_changed: () => ({
      title: 'Your password was changed',
      body: `Every session and API key has ended. ${NOT_YOU}`,
    }),
    registration_attempted: () => ({
      title: 'Somebody tried to register with your address',
      body: 'You already have an account, so no other one was opened. If it was you, sign in, or set a new password if you forgot it. If it was not you, you need not do anything.',
    }),
    session_stolen: () => ({
      title: 'We have ended one of your sessions',
      body: `A token of it was used twice, so somebody may have copied it. ${NOT_YOU}`,
    }),
    application_stolen: (it) => ({
      title: `We have ended your sign-in to ${it.application}`,
      body: `A token that ${it.application} had for your account was used twice, so somebody may have copied it. Sign in there again. ${NOT_YOU}`,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} now protects your account`,
      body: `Signing in takes a second factor from now on. ${NOT_YOU}`,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} was removed from your account`,
      body: `It no longer counts for signing in. ${NOT_YOU}`,
    }),
    recovery_codes_made: () => ({
      title: 'You have new recovery codes',
      body: `The old ones no longer work. ${NOT_YOU}`,
    }),
    recovery_code_used: (it) => ({
      title: 'A recovery code was used',
      body: `${it.left} of them are left. ${NOT_YOU}`,
    }),
    passkey_copied: (it) => ({
      title: `The passkey ${it.name} was refused`,
      body: 'It was used less often than it says, so there may be a copy of it. Remove it if you do not know why.',
    }),
    account_connected: (it) => ({
      title: `The ${providerName(it.provider)} account ${it.name} was linked`,
      body: `It belongs to your account here from now on. ${NOT_YOU}`,
    }),
    account_disconnected: (it) => ({
      title: `The ${providerName(it.provider)} account ${it.name} was removed`,
      body: `It no longer belongs to your account here. ${NOT_YOU}`,
    }),
    vat_number_invalid: (it) => ({
      title: `Your VAT number ${it.vatNumber} is not confirmed`,
      body: 'The EU’s register (VIES) does not know it. Further invoices bear VAT until your profile has a valid number; those you have do not change.',
    }),
    mail_undeliverable: (it) => ({
      title: 'Our mails do not reach you',
      body: `The mail server of ${it.address} says that there is no such address. We send nothing there until you confirm it again or choose another one.`,
    }),
    announcement: (it) => it,
  },
  mails: {
    verify_email: ({ url }) => ({
      title: 'Please confirm your address',
      body: `Open this link to confirm that this address is yours:\n\n${url}\n\nIf you did not ask for it, do nothing.`,
    }),
    reset_password: ({ url }) => ({
      title: 'Choose a new password',
      body: `Open this link to choose a new password:\n\n${url}\n\nIf you did not ask for it, do nothing.`,
    }),
    service_invitation: ({ inviter, service, url }) => ({
      title: `${inviter} shares a server with you`,
      body: `${inviter} invites you to ${service}. Open this link to accept:\n\n${url}`,
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'Another address was asked for',
      body: `${newEmail} is to take the place of this address. This one stays until the new one is confirmed. ${NOT_YOU}`,
    }),
    more_attention: ({ times }) => ({
      title: 'More matters need your attention',
      body: `More than ${times} matters came up within an hour. The others are not mailed: you find all of them in your notifications.`,
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Your address was changed',
      body: `${newEmail} has taken the place of this address. ${NOT_YOU}`,
    }),
  },
}
