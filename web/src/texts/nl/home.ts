import type { Texts } from '../index.tsx'

export const home: Texts['home'] = {
  title: 'Start',
  hello: (name) => `Hallo ${name}`,
  none: 'Nog geen server',
  noneText: 'Kies een game. Kort nadat je hebt betaald, is je server klaar.',
  chooseGame: 'Kies een game',
  upcoming: 'Volgende betalingen',
  nothingUpcoming: 'Je hoeft binnenkort niets te betalen.',
  allInvoices: 'Alle facturen',
  renews: (date) => `Verlenging op ${date}`,
  ends: (date) => `Eindigt op ${date}`,
  credit: 'Tegoed',
  addCredit: 'Tegoed opwaarderen',
  news: 'Meldingen',
  noNews: 'Nog geen meldingen.',
  allNews: 'Alle meldingen',
  dueTitle: (count) =>
    count === 1 ? 'Er staat één factuur open' : `Er staan ${count} facturen open`,
  due: (amount) => `Je moet nog ${amount} betalen.`,
  seeInvoices: 'Facturen bekijken',
  suspended: 'Opgeschort totdat de factuur is betaald.',
  waitsForPayment: 'Wacht op de betaling.',
  settingUp: 'Je server wordt klaargezet.',
  setUpFailed: 'Het klaarzetten duurt langer dan normaal. Onze medewerkers weten ervan.',
  unavailable: 'De actuele status is op dit moment niet beschikbaar.',
}
