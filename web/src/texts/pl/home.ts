import type { Texts } from '../index.tsx'
import { plural } from '../plural.ts'

export const home: Texts['home'] = {
  title: 'Start',
  hello: (name) => `Cześć, ${name}`,
  none: 'Nie masz jeszcze serwera',
  noneText: 'Wybierz grę. Serwer będzie gotowy krótko po płatności.',
  chooseGame: 'Wybierz grę',
  upcoming: 'Najbliższe płatności',
  nothingUpcoming: 'Brak płatności w najbliższym czasie.',
  allInvoices: 'Wszystkie faktury',
  renews: (date) => `Odnowienie ${date}`,
  ends: (date) => `Koniec ${date}`,
  credit: 'Saldo',
  addCredit: 'Doładuj saldo',
  news: 'Powiadomienia',
  noNews: 'Nie ma jeszcze powiadomień.',
  allNews: 'Wszystkie powiadomienia',
  dueTitle: (count) => `${count} ${plural('pl', count, 'faktura', 'faktur', 'faktury')} do zapłaty`,
  due: (amount) => `Do zapłaty: ${amount}.`,
  seeInvoices: 'Zobacz faktury',
  suspended: 'Wstrzymany do czasu opłacenia faktury.',
  waitsForPayment: 'Czeka na płatność.',
  settingUp: 'Przygotowujemy twój serwer.',
  setUpFailed: 'Przygotowanie trwa dłużej niż zwykle. Nasz zespół już o tym wie.',
  unavailable: 'Bieżący stan jest teraz niedostępny.',
}
