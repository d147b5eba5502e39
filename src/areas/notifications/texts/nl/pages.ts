import type { PageTexts } from '../language.ts'

/** The footer of mails, and the page that stops them, in Dutch. */
export const pages: PageTexts = {
  why: {
    account: (shop) => `Je ontvangt deze e-mail omdat je een account hebt bij ${shop}.`,
    staff: (shop) => `Je ontvangt deze e-mail omdat je voor ${shop} werkt.`,
    address: (shop) => `Je ontvangt deze e-mail omdat dit adres bij ${shop} is ingevuld.`,
    invitation: (shop) =>
      `Je ontvangt deze e-mail omdat een klant van ${shop} je adres heeft ingevuld.`,
  },
  orOpen: 'Werkt de knop niet? Kopieer dan dit adres naar je browser:',
  stopMails: 'Geen e-mails van deze soort meer',
  stopTitle: 'Deze e-mails stopzetten',
  stopBody: 'Je ontvangt dan geen e-mails van deze soort meer. Je kunt dit in je account wijzigen.',
  stop: 'Stopzetten',
  stopped: 'Klaar. We sturen je geen e-mails van deze soort meer.',
}
