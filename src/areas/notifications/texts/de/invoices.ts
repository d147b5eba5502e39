import { plural } from '#lib/plural.ts'
import { daysText, dayText } from '../days.ts'
import type { InvoiceTexts } from '../invoices.ts'

function day(value: string): string {
  return dayText(value, 'de-DE')
}

const UNITS = {
  day: ['Tag', 'Tage'],
  week: ['Woche', 'Wochen'],
  month: ['Monat', 'Monate'],
  year: ['Jahr', 'Jahre'],
} as const

function counted(count: number, unit: keyof typeof UNITS): string {
  const [one, other] = UNITS[unit]
  return `${count} ${plural('de', count, one, other)}`
}

export const invoices: InvoiceTexts = {
  printed: {
    locale: 'de',
    region: 'de-DE',
    invoice: 'Rechnung',
    proForma: 'Proforma-Rechnung',
    creditNote: 'Rechnungskorrektur',
    topUp: 'Zahlungsbeleg',
    number: 'Nummer',
    issuedOn: 'Ausstellungsdatum',
    madeOn: 'Datum',
    dueOn: 'Fällig am',
    corrects: (number, day) => `Korrigiert Rechnung ${number} vom ${day}`,
    reason: 'Grund',
    seller: 'Von',
    buyer: 'An',
    vatNumber: 'USt-IdNr.',
    registerNumber: 'Registernummer',
    description: 'Beschreibung',
    quantity: 'Menge',
    unitPrice: 'Einzelpreis',
    discount: 'Rabatt',
    vat: 'MwSt.',
    net: 'Netto',
    base: 'Nettobetrag',
    subtotal: 'Summe netto',
    taxTotal: 'MwSt.',
    total: 'Gesamtbetrag',
    paid: 'Bereits bezahlt',
    paidOn: 'Zahlungsdatum',
    paidBy: (means, day) => (day === null ? `Bezahlt (${means})` : `Bezahlt am ${day} (${means})`),
    means: {
      ...{ card: 'Karte', sepa_debit: 'SEPA-Lastschrift', paypal: 'PayPal' },
      ...{ bank_transfer: 'Überweisung', credit: 'Guthaben', other: 'andere Zahlungsmethode' },
    },
    due: 'Offener Betrag',
    credited: 'Korrekturbetrag',
    noTax: 'keine',
    proFormaMention:
      'Dies ist keine Rechnung. Das Dokument zeigt, was eine Bestellung kosten wird; die Rechnung folgt mit der Zahlung.',
    topUpMention:
      'Kauf von Guthaben zur späteren Verwendung. Darauf fällt keine MwSt. an: Sie entsteht mit den Rechnungen, die damit bezahlt werden.',
    creditTerms: 'Der Betrag wird zurückgezahlt oder mit offenen Beträgen verrechnet.',
    payBy: (iban) => `Bitte überweisen auf IBAN ${iban}`,
    bic: (bic) => `BIC ${bic}`,
    reference: (number) => `Verwendungszweck ${number}`,
    creditOn: (invoiceNumber) => `Korrektur zu Rechnung ${invoiceNumber}`,
    discountReason: 'Rabatt',
    page: (page, pages) => `Seite ${page} von ${pages}`,
    notSubject: 'Nicht steuerbar gemäß Art. 44/59 der Richtlinie 2006/112/EG',
    exempt: 'Von der MwSt. befreit',
    reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers',
  },
  lines: {
    setup: (what) => `${what}: Einrichtung`,
    trial: (what, days) => `${what}: ${counted(days, 'day')} Testphase`,
    fromPayment: (what, { interval, intervalCount }) =>
      `${what}: ${counted(intervalCount, interval)} ab Zahlung`,
    period: (what, days) => `${what}: ${daysText(days, 'de-DE')}`,
    unusedTime: (product, lastDay) => `${product}: ungenutzte Zeit bis zum ${day(lastDay)}`,
    restOfPeriod: (product, lastDay) => `${product}: restlicher Zeitraum bis zum ${day(lastDay)}`,
    newPeriod: (product) => `${product}: neuer Zeitraum`,
    component: (name, label) => `${name ?? 'Standort'}: ${label}`,
    topUp: 'Guthaben',
  },
  reasons: {
    priceExpired: () => 'Der Preis gilt nicht mehr',
    notPaidInTime: () => 'Nicht rechtzeitig bezahlt',
    serviceEnded: () => 'Der Dienst ist beendet',
    terminated: () => 'Der Dienst wurde gekündigt',
    terminatedUnpaid: () => 'Der Dienst wurde wegen Nichtzahlung gekündigt',
    notSetUp: () => 'Der Dienst konnte nicht eingerichtet werden',
    soldOut: () => 'Vor dem Zahlungseingang ausverkauft',
    changeGivenUp: () => 'Der Wechsel wurde aufgegeben',
    changeFailed: () => 'Der Wechsel konnte nicht ausgeführt werden',
    changeCostsNothing: () => 'Der Wechsel kostet nichts mehr',
    anotherChange: () => 'Ein anderer Wechsel ist an seine Stelle getreten',
    productChanged: () => 'Der Dienst wurde auf ein anderes Produkt umgestellt',
    changeOfProduct: () => 'Produktwechsel',
    optionsChanged: () => 'Die Optionen des Dienstes wurden geändert',
    canceled: () => 'Gekündigt',
    withdrawal: () => 'Widerruf des Vertrags',
    orderCanceled: () => 'Die Bestellung wurde storniert',
    renewalReplaced: () => 'Die Verlängerung wurde durch eine andere ersetzt',
    nextPeriodOnAnotherPlan: () => 'Der nächste Zeitraum läuft in einem anderen Tarif',
    freeDays: () => 'Vor dem nächsten Zeitraum wurden Gratistage hinzugefügt',
    refund: () => 'Erstattung',
    refundedAtProvider: () => 'Beim Zahlungsanbieter erstattet',
    correction: () => 'Korrektur',
    voidedByStaff: () => 'Von einem Administrator storniert',
    duplicate: ({ number }) => `Duplikat von ${number}`,
  },
}
