import type { PageTexts } from '../language.ts'

/** What stands under mails, and on the page they lead to, in English. */
export const pages: PageTexts = {
  payInvoice: 'Pay this invoice without signing in:',
  stopMails: 'You can stop mails of this kind here:',
  stopTitle: 'Stop these mails',
  stopBody: 'You will get no more mails of this kind. You can change your mind in your account.',
  stop: 'Stop them',
  stopped: 'Done. We send you no more mails of this kind.',
}
