import type { AffiliationTexts } from '../parts.ts'
import { plural } from '../plural.ts'

export const affiliation: AffiliationTexts = {
  title: 'Zaproś znajomych',
  offer: (share) => `Otrzymujesz ${share} kwot, które płacą osoby z twojego linku.`,
  first: 'Liczy się ich pierwsza płatność.',
  recurring: 'Liczą się wszystkie ich płatności.',
  months: (count) =>
    count === 1
      ? 'Liczą się ich płatności z pierwszego miesiąca.'
      : `Liczą się ich płatności z pierwszych ${count} miesięcy.`,
  hold: (days) =>
    days === 0
      ? 'Prowizji możesz użyć od chwili płatności.'
      : `Prowizji możesz użyć ${days} ${plural('pl', days, 'dzień', 'dni', 'dni')} po płatności.`,
  closed: 'Program jest zamknięty',
  closedText: 'Obecnie nie przyjmujemy nowych uczestników.',
  join: 'Weź udział',
  joinTitle: 'Polecaj nas i powiększaj swoje saldo',
  yourLink: 'Twój link',
  suspended: 'Twój udział jest zawieszony. Skontaktuj się z pomocą techniczną.',
  clicks: 'Kliknięcia',
  clicksText: (total: string, recent: string) => `${total}, w tym ${recent} w ostatnich 30 dniach`,
  referrals: 'Polecenia',
  pending: 'Oczekująca',
  available: 'Dostępna',
  converted: 'Zamieniona',
  convert: 'Zamień na saldo',
  convertText: (minimum) => `Od kwoty ${minimum} możesz zamienić ją na saldo.`,
  convertedNow: 'Prowizja została dodana do twojego salda',
  progress: 'Postęp do minimum',
  commissions: 'Prowizje',
  noCommissions: 'Nie ma jeszcze prowizji. Pojawi się, gdy zapłaci osoba z twojego linku.',
  status: { pending: 'Oczekująca', available: 'Dostępna', reversed: 'Cofnięta' },
  statusHead: 'Status',
  date: 'Data',
  amount: 'Kwota',
  usableFrom: 'Do użycia od',
}
