import type { PageTexts } from '../language.ts'

/** What stands under mails, and on the page they lead to, in French. */
export const pages: PageTexts = {
  payInvoice: 'Payer cette facture sans vous connecter :',
  stopMails: 'Pour ne plus recevoir les e-mails de ce type :',
  stopTitle: 'Ne plus recevoir ces e-mails',
  stopBody:
    'Vous ne recevrez plus les e-mails de ce type. Vous pouvez changer d’avis dans votre compte.',
  stop: 'Ne plus les recevoir',
  stopped: 'C’est fait. Nous ne vous enverrons plus les e-mails de ce type.',
}
