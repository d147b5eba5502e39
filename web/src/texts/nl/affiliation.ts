import type { AffiliationTexts } from '../parts.ts'
import { plural } from '../plural.ts'

export const affiliation: AffiliationTexts = {
  title: 'Vrienden uitnodigen',
  offer: (share) => `Je krijgt ${share} van wat mensen betalen die via jouw link komen.`,
  first: 'Hun eerste betaling telt mee.',
  recurring: 'Al hun betalingen tellen mee.',
  months: (count) =>
    count === 1
      ? 'Hun betalingen van de eerste maand tellen mee.'
      : `Hun betalingen van de eerste ${count} maanden tellen mee.`,
  hold: (days) =>
    days === 0
      ? 'Je kunt de commissie vanaf de betaling gebruiken.'
      : `Je kunt de commissie ${days} ${plural('nl', days, 'dag', 'dagen')} na de betaling gebruiken.`,
  closed: 'Het programma is gesloten',
  closedText: 'Nieuwe deelnemers zijn op dit moment niet mogelijk.',
  join: 'Meedoen',
  joinTitle: 'Beveel ons aan en verdien tegoed',
  yourLink: 'Je link',
  suspended: 'Je deelname is opgeschort. Neem contact op met support.',
  clicks: 'Kliks',
  clicksText: (total: string, recent: string) =>
    `${total}, waarvan ${recent} in de laatste 30 dagen`,
  referrals: 'Aangebracht',
  pending: 'In afwachting',
  available: 'Beschikbaar',
  converted: 'Omgezet',
  convert: 'Omzetten in tegoed',
  convertText: (minimum) => `Vanaf ${minimum} kun je het omzetten in tegoed.`,
  convertedNow: 'Je commissie is nu tegoed',
  progress: 'Voortgang tot het minimum',
  commissions: 'Commissies',
  noCommissions:
    'Nog geen commissie. Die verschijnt zodra iemand betaalt die via jouw link is gekomen.',
  status: { pending: 'In afwachting', available: 'Beschikbaar', reversed: 'Teruggedraaid' },
  statusHead: 'Status',
  date: 'Datum',
  amount: 'Bedrag',
  usableFrom: 'Bruikbaar vanaf',
}
