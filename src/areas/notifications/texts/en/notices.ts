import { formatAmount } from '#lib/currency.ts'
import { attachedText } from '../attached.ts'
import { attentionText } from '../attention.ts'
import { dayText, timesText } from '../days.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'en')
}

function day(value: string): string {
  return dayText(value, 'en-GB')
}

/** How the title of an update of maintenance begins. */
function maintenance(step: string): string {
  if (step === 'canceled') return 'Maintenance canceled: '
  return step === 'completed' ? 'Maintenance completed: ' : 'Maintenance, update: '
}

/** When planned maintenance takes place. */
function times(facts: { startsAt: string; endsAt: string }): string {
  return timesText(facts, 'en-GB')
}

const VIEW_STATUS = 'View the status'
const VIEW_TICKET = 'View the ticket'
const NOT_YOU = 'If this was not you, change your password and contact us.'
const NOT_ASKED = 'If you did not ask for this, ignore this email.'
const VIEW_INVOICE = 'View the invoice'
const PAY = 'Pay now'
const OPEN_SERVICE = 'View the service'
const OPEN_SERVER = 'Open the server'
const SECURITY = 'Check your security settings'
const COMMISSION = 'View your commission'
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }
const hasServer = ({ delivery }: Delivered) => (delivery ?? 'server') === 'server'
const openOf = (it: Delivered) => (hasServer(it) ? OPEN_SERVER : OPEN_SERVICE)
const nounOf = (it: Delivered) => (hasServer(it) ? 'server' : 'service')
const UPGRADE_OBSTACLES = {
  no_capacity: 'There is no room for it at the moment.',
  disk_in_use: 'It uses more disk space than the new plan has: delete what you do not need.',
  ports_in_use: 'It has more ports than the new plan has: remove some.',
  databases_in_use: 'It has more databases than the new plan has: delete some.',
  backups_in_use: 'It has more backups than the new plan has: delete some.',
}
const FACTORS = { totp: 'An authenticator app', passkey: 'A passkey' }

/** Notifications and mails in English. */
export const texts: Texts = {
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => {
      const due = formatAmount(it.dueCents, it.currency, 'en')
      const isDue = it.dueCents > 0
      return {
        title: `Your invoice for ${amount(it)}`,
        body: !isDue
          ? `Here is your invoice ${it.number} for ${amount(it)}. There is nothing left to pay.`
          : it.dueOn
            ? `${due} is due on ${day(it.dueOn)} for invoice ${it.number}.`
            : `${due} is due for invoice ${it.number}.`,
        rows: [
          ['Invoice', it.number],
          ['Total', amount(it)],
          ['Amount due', due],
          ...(isDue && it.dueOn ? [['Due date', day(it.dueOn)] as const] : []),
        ],
        action: isDue ? PAY : VIEW_INVOICE,
      }
    },
    order_placed: (it) => ({
      title: `We placed an order for you: ${amount(it)}`,
      body: it.dueOn
        ? `Your order ${it.number} waits for your payment of ${amount(it)} until ${day(it.dueOn)}. If you do not want it, you do not have to do anything: it then ends on that day.`
        : `We placed order ${it.number} for you. There is nothing to pay.`,
      rows: [
        ['Order', it.number],
        ['Total', amount(it)],
        ...(it.dueOn ? [['Pay by', day(it.dueOn)] as const] : []),
      ],
      action: it.dueOn ? PAY : VIEW_INVOICE,
    }),
    invoice_paid: (it) => ({
      title: `We received your payment of ${amount(it)}`,
      body: `Invoice ${it.number} for ${amount(it)} is paid. Thank you.`,
      rows: [
        ['Invoice', it.number],
        ['Amount paid', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_failed: (it) => ({
      title: `Your payment of ${amount(it)} failed`,
      body: `${it.number ? `We could not collect ${amount(it)} for invoice ${it.number}` : `We could not collect ${amount(it)}`}. ${PAYMENT_FAILURES[it.why]} You can try again at any time.`,
      rows: [...(it.number ? [['Invoice', it.number] as const] : []), ['Amount due', amount(it)]],
      action: PAY,
    }),
    payment_action_required: (it) => ({
      title: `Please confirm your payment of ${amount(it)}`,
      body: `Your bank asks you to confirm the payment of ${amount(it)}${it.number ? ` for invoice ${it.number}` : ''}.`,
      rows: [...(it.number ? [['Invoice', it.number] as const] : []), ['Amount', amount(it)]],
      action: 'Confirm the payment',
    }),
    refund_made: (it) => ({
      title: `Your refund of ${amount(it)}`,
      body: it.toCredit
        ? `We added ${amount(it)} to your credit for invoice ${it.number}.`
        : `We refunded ${amount(it)} for invoice ${it.number} to your payment method. It can take a few days to arrive.`,
      rows: [
        ['Invoice', it.number],
        ['Refund', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    credit_added: (it) => ({
      title: `${amount(it)} was added to your credit`,
      body: `We added ${amount(it)} to your credit. ${CREDIT_REASONS[it.why]}`,
      rows: [['Credit added', amount(it)]],
      action: 'View your credit',
    }),
    out_of_stock_credit: (it) =>
      it.amountCents > 0
        ? {
            title: 'The product you ordered is sold out',
            body: `Your payment arrived after the last one was sold. We added ${amount(it)} to your credit.`,
            rows: [['Credit added', amount(it)]],
          }
        : {
            title: 'The product you ordered is sold out',
            body: 'The last one was sold while we processed your order. You were not charged.',
          },
    service_active: (it) =>
      it.delivery === 'none'
        ? {
            title: `${it.name} is active`,
            body: 'Your payment has arrived, and your service is active.',
            action: OPEN_SERVICE,
          }
        : it.delivery === 'manual' || it.delivery === 'webhook'
          ? {
              title: `${it.name} is ready`,
              body: 'We have delivered it. Its page shows everything you need.',
              action: OPEN_SERVICE,
            }
          : {
              title: `${it.name} is ready`,
              body: it.address
                ? `Your server is ready to play at ${it.address}.`
                : 'Your server is ready.',
              rows: it.address ? [['Address', it.address]] : [],
              action: OPEN_SERVER,
            },
    service_failed: (it) =>
      hasServer(it)
        ? {
            title: `We could not set up ${it.name} yet`,
            body: 'Your payment is safe. We are looking into it and will set up your server or refund you.',
            action: OPEN_SERVER,
          }
        : {
            title: `We could not deliver ${it.name} yet`,
            body: 'Your payment is safe. We are looking into it and will deliver your service or refund you.',
            action: OPEN_SERVICE,
          },
    delivery_begun: (it) => ({
      title: `We are preparing ${it.name}`,
      body: `Your payment has arrived. We deliver your service by ${day(it.dueOn)} and notify you when it is ready.`,
      rows: [['Delivery by', day(it.dueOn)]],
      action: OPEN_SERVICE,
    }),
    service_reinstalled: (it) => ({
      title: `${it.name} was reinstalled`,
      body: 'The reinstallation is complete. You can start your server.',
      action: OPEN_SERVER,
    }),
    service_reinstall_failed: (it) => ({
      title: `${it.name} could not be reinstalled`,
      body: 'The reinstallation failed. Check your settings and try again, or contact us.',
      action: OPEN_SERVER,
    }),
    server_crashed: (it) => ({
      title: `${it.name} has crashed`,
      body: 'The end of its console output shows why. We send you at most three of these messages a day.',
      action: 'Open the console',
    }),
    service_suspended: (it) => ({
      title: `${it.name} is suspended`,
      body: it.unpaid
        ? `Nothing has been deleted. Pay the amount due, and the ${nounOf(it)} is available again at once.`
        : 'Nothing has been deleted. Please contact us to find out more.',
      action: openOf(it),
    }),
    service_reactivated: (it) => ({
      title: `${it.name} is available again`,
      body: !hasServer(it)
        ? 'The service is no longer suspended.'
        : 'The server is no longer suspended. You can start it again.',
      action: openOf(it),
    }),
    service_ended: (it) => ({
      title: `${it.name} has ended`,
      body: it.deleteOn
        ? `The server was shut down. Its data will be deleted on ${day(it.deleteOn)}.`
        : !hasServer(it)
          ? 'The service has ended. Nothing more will be charged for it.'
          : 'The server was shut down and its data was deleted.',
      rows: it.deleteOn ? [['Data deleted on', day(it.deleteOn)]] : [],
      action: OPEN_SERVICE,
    }),
    service_ending: (it) => ({
      title: `${it.name} ends on ${day(it.endsOn)}`,
      body: 'It is not set to renew. To keep it, renew it before that day.',
      rows: [['Ends on', day(it.endsOn)]],
      action: 'Renew it',
    }),
    renewal_invoice: (it) => ({
      title: `Renewal of ${it.name}: ${amount(it)}`,
      body: `${amount(it)} is due on ${day(it.dueOn)} for the next period of ${it.name}.`,
      rows: [
        ['Invoice', it.number],
        ['Period', `${day(it.startsOn)} – ${day(it.endsOn)}`],
        ['Amount due', amount(it)],
        ['Due date', day(it.dueOn)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_reminder: (it) => ({
      title: `Payment reminder: ${amount(it)} for ${it.name}`,
      body:
        it.next === 'nothing'
          ? `${amount(it)} is due for the time until the ${nounOf(it)} ended. The invoice was due on ${day(it.dueOn)}.`
          : it.next === 'end'
            ? `${amount(it)} was due on ${day(it.dueOn)}. The ${nounOf(it)} is suspended. Without payment it ends on ${day(it.on)}${!hasServer(it) ? '' : ', and its data is deleted some days later'}.`
            : `${amount(it)} is due on ${day(it.dueOn)}. Without payment we suspend the ${nounOf(it)} on ${day(it.on)}.`,
      rows: [
        ['Invoice', it.number],
        ['Amount due', amount(it)],
        ['Due date', day(it.dueOn)],
        ...(it.next === 'nothing'
          ? []
          : [[it.next === 'end' ? 'Ends on' : 'Suspended on', day(it.on)] as const]),
      ],
      action: PAY,
    }),
    price_change: (it) => ({
      title: `The price of ${it.name} is changing`,
      body: `The first period that starts on or after ${day(it.effectiveFrom)} costs ${amount(it)}. You can cancel before then.`,
      rows: [
        ['New price', amount(it)],
        ['From', day(it.effectiveFrom)],
      ],
      action: openOf(it),
    }),
    service_upgraded: (it) => ({
      title: `${it.name} is now on ${it.product}`,
      body: !hasServer(it)
        ? 'The change is complete.'
        : 'The change is complete. Restart the server to use its new limits.',
      action: openOf(it),
    }),
    free_days: (it) => ({
      title: it.days === 1 ? `1 free day for ${it.name}` : `${it.days} free days for ${it.name}`,
      body: `${it.reason} Your next period starts on ${day(it.until)}. You pay nothing for these days.`,
      rows: [
        ['Free days', String(it.days)],
        ['Next period', day(it.until)],
      ],
      action: openOf(it),
    }),
    upgrade_failed: (it) => ({
      title: `${it.name} could not be changed to ${it.product}`,
      body: it.isPaidBack
        ? `The ${nounOf(it)} stays as it was. We added what you paid for the change to your credit.`
        : `The ${nounOf(it)} stays as it was.`,
      action: openOf(it),
    }),
    upgrade_waiting: (it) => ({
      title: `${it.name} cannot be changed to ${it.product} yet`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} We keep trying until ${day(it.until)}. After that, the server and its price stay as they are.`,
      action: OPEN_SERVER,
    }),
    invitation: (it) => ({
      title: `${it.inviter} shares ${it.service} with you`,
      body: 'Open the invitation to accept or decline it.',
      action: 'Open the invitation',
    }),
    commission_earned: (it) => ({
      title: `You have earned ${amount(it)}`,
      body: 'A customer you referred has paid. You can use your commission after the waiting period.',
      rows: [['Commission', amount(it)]],
      action: COMMISSION,
    }),
    commission_available: (it) => ({
      title: `${amount(it)} of your commission is available`,
      body: `The waiting period is over. You can convert commission to credit once you have ${formatAmount(2000, it.currency, 'en')}.`,
      rows: [['Available', amount(it)]],
      action: COMMISSION,
    }),
    commission_reversed: (it) => ({
      title: `${amount(it)} of your commission was reversed`,
      body: 'A payment of a customer you referred was refunded, charged back or not accepted.',
      rows: [['Reversed', amount(it)]],
      action: COMMISSION,
    }),
    commission_restored: (it) => ({
      title: `${amount(it)} of your commission was restored`,
      body: 'A payment that had been charged back was paid after all.',
      rows: [['Restored', amount(it)]],
      action: COMMISSION,
    }),
    impersonated: () => ({
      title: 'A member of our staff is viewing your account',
      body: 'For at most 30 minutes, they see what you see. They cannot see or change how you sign in or pay.',
    }),
    admin_attention: (it) => ({ action: 'View the details', ...attentionText(attention, it) }),
    password_changed: () => ({
      title: 'Your password was changed',
      body: `You were signed out everywhere, and your API keys were revoked. ${NOT_YOU}`,
      action: SECURITY,
    }),
    registration_attempted: () => ({
      title: 'Someone tried to register with your address',
      body: 'You already have an account, so no new account was opened. If it was you, sign in, or reset your password if you forgot it. If it was not you, there is nothing to do.',
      action: 'Go to your account',
    }),
    session_stolen: () => ({
      title: 'We ended one of your sessions',
      body: `One of its tokens was used twice, so someone may have copied it. ${NOT_YOU}`,
      action: SECURITY,
    }),
    application_stolen: (it) => ({
      title: `We ended your sign-in to ${it.application}`,
      body: `A token that ${it.application} holds for your account was used twice, so someone may have copied it. Sign in there again. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} now protects your account`,
      body: `From now on, signing in requires a second factor. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} was removed from your account`,
      body: `It can no longer be used to sign in. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_codes_made: () => ({
      title: 'You have new recovery codes',
      body: `The old codes no longer work. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_code_used: (it) => ({
      title: 'A recovery code was used',
      body: `You have ${it.left === 1 ? '1 code' : `${it.left} codes`} left. ${NOT_YOU}`,
      action: SECURITY,
    }),
    passkey_copied: (it) => ({
      title: `The passkey ${it.name} was refused`,
      body: 'Its counter went backwards, so there may be a copy of it. Remove the passkey unless you know why.',
      action: SECURITY,
    }),
    account_connected: (it) => ({
      title: `The ${providerName(it.provider)} account ${it.name} was linked`,
      body: `It is now linked to your account. ${NOT_YOU}`,
      action: SECURITY,
    }),
    account_disconnected: (it) => ({
      title: `The ${providerName(it.provider)} account ${it.name} was unlinked`,
      body: `It is no longer linked to your account. ${NOT_YOU}`,
      action: SECURITY,
    }),
    vat_number_invalid: (it) => ({
      title: `Your VAT number ${it.vatNumber} could not be confirmed`,
      body: 'It is not in the EU’s register (VIES). Your next invoices include VAT until your profile has a valid number. Existing invoices do not change.',
      action: 'Check your billing details',
    }),
    ticket_opened: (it) => ({
      title: `We wrote to you: ticket ${it.number}`,
      body: `There is a message for you on ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_answered: (it) => ({
      title: `There is an answer to ticket ${it.number}`,
      body: `There is a new message on ticket ${it.number}.${attachedText('en', it.files)}`,
      action: VIEW_TICKET,
    }),
    ticket_closed: (it) => ({
      title: `Ticket ${it.number} is closed`,
      body: `We closed ticket ${it.number}. If something is left to do, write on it and it is open again.`,
      action: VIEW_TICKET,
    }),
    ticket_closing: (it) => ({
      title: `Ticket ${it.number} will be closed on ${day(it.closesOn)}`,
      body: `There is an answer on ticket ${it.number}, and nothing was written since. If something is left to do, write on it and it stays open.`,
      action: VIEW_TICKET,
    }),
    ticket_new: (it) => ({
      title: `New ticket ${it.number}`,
      body: `A customer opened ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_assigned: (it) => ({
      title: `Ticket ${it.number} is assigned to you`,
      body: `Ticket ${it.number} was assigned to you.`,
      action: VIEW_TICKET,
    }),
    ticket_customer_replied: (it) => ({
      title: `A customer wrote on ticket ${it.number}`,
      body: `There is a new message of the customer on ticket ${it.number}.${attachedText('en', it.files)}`,
      action: VIEW_TICKET,
    }),
    mail_undeliverable: (it) => ({
      title: 'Our emails do not reach you',
      body: `The mail server of ${it.address} says that this address does not exist. We send nothing there until you confirm the address again or choose another one.`,
    }),
    incident_opened: (it) => ({
      title: `Incident: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_updated: (it) => ({
      title: `Incident, update: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_resolved: (it) => ({
      title: `Resolved: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    maintenance_planned: (it) => ({
      title: `Planned maintenance: ${it.title}`,
      body: `${it.text}\n\n${times(it)}`,
      action: VIEW_STATUS,
    }),
    maintenance_changed: (it) => ({
      title: `${maintenance(it.step)}${it.title}`,
      body: it.step === 'changed' ? `${it.text}\n\n${times(it)}` : it.text,
      action: VIEW_STATUS,
    }),
    announcement: ({ title, body }) => ({ title, body, action: 'Read more' }),
  },
  mails: {
    verify_email: () => ({
      title: 'Confirm your email address',
      body: 'Please confirm that this is your email address.',
      action: 'Confirm the address',
      after: NOT_ASKED,
    }),
    reset_password: () => ({
      title: 'Reset your password',
      body: 'You asked to reset your password. Use the button to choose a new one.',
      action: 'Choose a new password',
      after: NOT_ASKED,
    }),
    account_created: () => ({
      title: 'Your account is ready',
      body: 'We created an account for you with this email address. Use the button to choose a password. The link is valid for 7 days.',
      action: 'Choose a password',
      after: 'If you do not expect an account with us, ignore this email.',
    }),
    service_invitation: ({ inviter, service }) => ({
      title: `${inviter} shares a server with you`,
      body: `${inviter} invites you to use the server ${service}.`,
      action: 'Open the invitation',
      after: 'If you do not know this person, ignore this email.',
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'A new email address for your account',
      body: `Someone asked to replace this address with ${newEmail}. This address stays valid until the new one is confirmed. ${NOT_YOU}`,
    }),
    mail_test: () => ({
      title: 'Test mail',
      body: 'Your mail server accepted this mail. Mails to your customers are sent the same way.',
    }),
    staff_message: ({ subject, text }) => ({ title: subject, body: text }),
    more_attention: ({ times }) => ({
      title: 'More matters need your attention',
      body: `More than ${times} matters came up within an hour, so the others are not sent by email. You find all of them in your notifications.`,
      action: 'View the notifications',
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Your email address was changed',
      body: `Your account now uses ${newEmail} instead of this address. ${NOT_YOU}`,
    }),
  },
}
