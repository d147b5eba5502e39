import type { PageTexts } from '../language.ts'

/** The footer of mails, and the page that stops them, in English. */
export const pages: PageTexts = {
  why: {
    account: (shop) => `You are receiving this email because you have an account with ${shop}.`,
    staff: (shop) => `You are receiving this email because you work for ${shop}.`,
    address: (shop) => `You are receiving this email because this address was entered at ${shop}.`,
    invitation: (shop) =>
      `You are receiving this email because a customer of ${shop} entered your address.`,
  },
  orOpen: 'If the button does not work, copy this address into your browser:',
  stopMails: 'Stop emails of this kind',
  stopTitle: 'Stop these emails',
  stopBody: 'You will no longer receive emails of this kind. You can change this in your account.',
  stop: 'Stop them',
  stopped: 'Done. We will not send you emails of this kind any more.',
}
