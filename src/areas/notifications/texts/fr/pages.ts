import type { PageTexts } from '../language.ts'

/** The footer of mails, and the page that stops them, in French. */
export const pages: PageTexts = {
  why: {
    account: (shop) => `Vous recevez cet e-mail car vous avez un compte chez ${shop}.`,
    staff: (shop) => `Vous recevez cet e-mail car vous travaillez pour ${shop}.`,
    address: (shop) => `Vous recevez cet e-mail car cette adresse a été saisie chez ${shop}.`,
    invitation: (shop) => `Vous recevez cet e-mail car un client de ${shop} a saisi votre adresse.`,
  },
  orOpen: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  stopMails: 'Ne plus recevoir les e-mails de ce type',
  stopTitle: 'Ne plus recevoir ces e-mails',
  stopBody:
    'Vous ne recevrez plus les e-mails de ce type. Vous pouvez changer ce choix dans votre compte.',
  stop: 'Ne plus les recevoir',
  stopped: 'C’est fait. Nous ne vous enverrons plus les e-mails de ce type.',
}
