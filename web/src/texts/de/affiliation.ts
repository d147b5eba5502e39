import type { AffiliationTexts } from '../parts.ts'
import { plural } from '../plural.ts'

export const affiliation: AffiliationTexts = {
  title: 'Freunde einladen',
  offer: (share) => `Du erhältst ${share} von dem, was Leute zahlen, die über deinen Link kommen.`,
  first: 'Ihre erste Zahlung zählt.',
  recurring: 'Alle ihre Zahlungen zählen.',
  months: (count) =>
    plural(
      'de',
      count,
      'Ihre Zahlungen im ersten Monat zählen.',
      `Ihre Zahlungen in den ersten ${count} Monaten zählen.`,
    ),
  hold: (days) =>
    days === 0
      ? 'Die Provision ist ab der Zahlung nutzbar.'
      : `Die Provision ist ${days} ${plural('de', days, 'Tag', 'Tage')} nach der Zahlung nutzbar.`,
  closed: 'Das Programm ist geschlossen',
  closedText: 'Zurzeit werden keine neuen Teilnehmer aufgenommen.',
  join: 'Mitmachen',
  joinTitle: 'Empfiehl uns und verdiene Guthaben',
  yourLink: 'Dein Link',
  suspended: 'Deine Teilnahme ist gesperrt. Wende dich an den Support.',
  clicks: 'Klicks',
  clicksText: (total: string, recent: string) =>
    `${total}, davon ${recent} in den letzten 30 Tagen`,
  referrals: 'Empfehlungen',
  pending: 'Ausstehend',
  available: 'Verfügbar',
  converted: 'Umgewandelt',
  convert: 'In Guthaben umwandeln',
  convertText: (minimum) => `Ab ${minimum} kannst du den Betrag in Guthaben umwandeln.`,
  convertedNow: 'Deine Provision ist jetzt Guthaben',
  progress: 'Fortschritt zum Mindestbetrag',
  commissions: 'Provisionen',
  noCommissions:
    'Noch keine Provision. Sie erscheint hier, sobald jemand zahlt, der über deinen Link gekommen ist.',
  status: { pending: 'Ausstehend', available: 'Verfügbar', reversed: 'Storniert' },
  statusHead: 'Status',
  date: 'Datum',
  amount: 'Betrag',
  usableFrom: 'Nutzbar ab',
}
