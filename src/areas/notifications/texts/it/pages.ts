import type { PageTexts } from '../language.ts'

/** The footer of mails, and the page that stops them, in Italian. */
export const pages: PageTexts = {
  why: {
    account: (shop) => `Ricevi questa email perché hai un account su ${shop}.`,
    staff: (shop) => `Ricevi questa email perché lavori per ${shop}.`,
    address: (shop) => `Ricevi questa email perché questo indirizzo è stato inserito su ${shop}.`,
    invitation: (shop) =>
      `Ricevi questa email perché un cliente di ${shop} ha inserito il tuo indirizzo.`,
  },
  orOpen: 'Se il pulsante non funziona, copia questo indirizzo nel browser:',
  stopMails: 'Non ricevere più email di questo tipo',
  stopTitle: 'Non ricevere più queste email',
  stopBody: 'Non riceverai più email di questo tipo. Puoi cambiare idea nel tuo account.',
  stop: 'Non riceverle più',
  stopped: 'Fatto. Non ti invieremo più email di questo tipo.',
}
