import type { PageTexts } from '../language.ts'

/** The footer of mails, and the page that stops them, in Polish. */
export const pages: PageTexts = {
  why: {
    account: (shop) => `Otrzymujesz tę wiadomość, bo masz konto w sklepie ${shop}.`,
    staff: (shop) => `Otrzymujesz tę wiadomość, bo pracujesz dla sklepu ${shop}.`,
    address: (shop) => `Otrzymujesz tę wiadomość, bo ten adres podano w sklepie ${shop}.`,
    invitation: (shop) => `Otrzymujesz tę wiadomość, bo klient sklepu ${shop} podał twój adres.`,
  },
  orOpen: 'Jeśli przycisk nie działa, skopiuj ten adres do przeglądarki:',
  stopMails: 'Nie wysyłaj mi takich e-maili',
  stopTitle: 'Rezygnacja z tych e-maili',
  stopBody: 'Nie będziesz już otrzymywać e-maili tego rodzaju. Możesz to zmienić na swoim koncie.',
  stop: 'Nie wysyłaj ich',
  stopped: 'Gotowe. Nie będziemy już wysyłać ci e-maili tego rodzaju.',
}
