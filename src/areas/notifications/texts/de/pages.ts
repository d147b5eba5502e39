import type { PageTexts } from '../language.ts'

/** The footer of mails, and the page that stops them, in German. */
export const pages: PageTexts = {
  why: {
    account: (shop) => `Du erhältst diese E-Mail, weil du ein Konto bei ${shop} hast.`,
    staff: (shop) => `Du erhältst diese E-Mail, weil du für ${shop} arbeitest.`,
    address: (shop) => `Du erhältst diese E-Mail, weil diese Adresse bei ${shop} angegeben wurde.`,
    invitation: (shop) =>
      `Du erhältst diese E-Mail, weil ein Kunde von ${shop} deine Adresse angegeben hat.`,
  },
  orOpen: 'Wenn der Button nicht funktioniert, kopiere diese Adresse in deinen Browser:',
  stopMails: 'E-Mails dieser Art abbestellen',
  stopTitle: 'Diese E-Mails abbestellen',
  stopBody: 'Du erhältst dann keine E-Mails dieser Art mehr. Das kannst du in deinem Konto ändern.',
  stop: 'Abbestellen',
  stopped: 'Erledigt. Wir schicken dir keine E-Mails dieser Art mehr.',
}
