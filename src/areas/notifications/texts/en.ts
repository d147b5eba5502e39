import { formatAmount } from '#lib/currency.ts'
import type { Texts } from './kinds.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'en')
}

export const en: Texts = {
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
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
      body: `${amount(it)} could not be collected: ${it.reason} You can pay again at any time.`,
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
      body: `${amount(it)} were added to your credit. ${it.reason}`,
    }),
    out_of_stock_credit: (it) => ({
      title: 'What you paid for is sold out',
      body: `Your payment arrived after the last one was sold. ${amount(it)} were added to your credit.`,
    }),
    service_active: (it) => ({
      title: `${it.name} is ready`,
      body: it.address ? `Your server is ready to play at ${it.address}.` : 'Your server is ready.',
    }),
    service_failed: (it) => ({
      title: `${it.name} could not be set up yet`,
      body: 'Your payment is safe. We are looking into it and will set your server up or refund you.',
    }),
    service_suspended: (it) => ({
      title: `${it.name} is suspended`,
      body: 'Nothing is deleted. Pay what is due and it comes back at once.',
    }),
    service_ended: (it) => ({ title: `${it.name} has ended`, body: 'The server was shut down.' }),
    service_upgraded: (it) => ({
      title: `${it.name} is now ${it.product}`,
      body: 'The change is done. Restart the server to use its new limits.',
    }),
    upgrade_failed: (it) => ({
      title: `${it.name} could not be changed to ${it.product}`,
      body: 'It stays as it was, and what you paid for the change was added to your credit.',
    }),
    invitation: (it) => ({
      title: `${it.inviter} shares ${it.service} with you`,
      body: 'Open the invitation to accept or decline it.',
    }),
    admin_attention: (it) => ({ title: it.subject, body: it.detail }),
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
  },
}
