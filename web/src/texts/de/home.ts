import type { Texts } from '../index.tsx'
import { plural } from '../plural.ts'

export const home: Texts['home'] = {
  title: 'Start',
  hello: (name) => `Hallo ${name}`,
  none: 'Noch kein Server',
  noneText: 'Wähle ein Spiel. Kurz nachdem du bezahlt hast, ist dein Server bereit.',
  chooseGame: 'Spiel auswählen',
  otherLanguage: (language) =>
    `Mitteilungen und E-Mails erhältst du in einer anderen Sprache: ${language}.`,
  speakEverywhere: (language) => `Überall ${language} verwenden`,
  upcoming: 'Nächste Zahlungen',
  nothingUpcoming: 'Demnächst ist keine Zahlung fällig.',
  allInvoices: 'Alle Rechnungen',
  renews: (date) => `Verlängert sich am ${date}`,
  ends: (date) => `Endet am ${date}`,
  credit: 'Guthaben',
  addCredit: 'Guthaben aufladen',
  news: 'Benachrichtigungen',
  noNews: 'Noch keine Benachrichtigungen.',
  allNews: 'Alle Benachrichtigungen',
  dueTitle: (count) =>
    plural('de', count, 'Eine Rechnung ist offen', `${count} Rechnungen sind offen`),
  due: (amount) => `Offener Betrag: ${amount}.`,
  seeInvoices: 'Rechnungen ansehen',
  suspended: 'Gesperrt, bis die Rechnung bezahlt ist.',
  waitsForPayment: 'Wartet auf die Zahlung.',
  settingUp: 'Dein Server wird eingerichtet.',
  setUpFailed: 'Die Einrichtung dauert länger als sonst. Unser Team weiß Bescheid.',
  filesUntil: (date) => `Die Dateien bleiben bis zum ${date} erhalten.`,
  unavailable: 'Der Live-Status ist gerade nicht verfügbar.',
}
