import { plural } from '#lib/plural.ts'
import { daysText, dayText } from '../days.ts'
import type { InvoiceTexts } from '../invoices.ts'

function day(value: string): string {
  return dayText(value, 'nl-NL')
}

const UNITS = {
  day: ['dag', 'dagen'],
  week: ['week', 'weken'],
  month: ['maand', 'maanden'],
  year: ['jaar', 'jaar'],
} as const

function counted(count: number, unit: keyof typeof UNITS): string {
  const [one, other] = UNITS[unit]
  return `${count} ${plural('nl', count, one, other)}`
}

export const invoices: InvoiceTexts = {
  printed: {
    locale: 'nl',
    region: 'nl-NL',
    invoice: 'Factuur',
    proForma: 'Pro-formafactuur',
    creditNote: 'Creditfactuur',
    topUp: 'Ontvangstbewijs',
    number: 'Nummer',
    issuedOn: 'Factuurdatum',
    madeOn: 'Datum',
    dueOn: 'Vervaldatum',
    corrects: (number, day) => `Correctie op factuur ${number} van ${day}`,
    reason: 'Reden',
    seller: 'Van',
    buyer: 'Aan',
    vatNumber: 'Btw-nummer',
    registerNumber: 'Registratienummer',
    description: 'Omschrijving',
    quantity: 'Aantal',
    unitPrice: 'Stukprijs',
    discount: 'Korting',
    vat: 'Btw',
    net: 'Netto',
    base: 'Grondslag',
    subtotal: 'Totaal excl. btw',
    taxTotal: 'Btw',
    total: 'Totaal',
    paid: 'Al betaald',
    paidOn: 'Betaaldatum',
    paidBy: (means, day) => (day === null ? `Betaald (${means})` : `Betaald op ${day} (${means})`),
    means: {
      ...{ card: 'kaart', sepa_debit: 'SEPA-incasso', paypal: 'PayPal' },
      ...{ bank_transfer: 'overboeking', credit: 'tegoed', other: 'andere betaalwijze' },
    },
    due: 'Te betalen',
    credited: 'Gecrediteerd bedrag',
    noTax: 'geen',
    proFormaMention:
      'Dit is geen factuur. Hier staat wat een bestelling gaat kosten; de factuur volgt bij de betaling.',
    topUpMention:
      'Aankoop van tegoed voor later gebruik. Hierover is geen btw verschuldigd: die wordt berekend op de facturen die ermee worden betaald.',
    creditTerms: 'Het bedrag wordt terugbetaald of verrekend met openstaande bedragen.',
    payBy: (iban) => `Graag overmaken naar IBAN ${iban}`,
    bic: (bic) => `BIC ${bic}`,
    reference: (number) => `onder vermelding van ${number}`,
    creditOn: (invoiceNumber) => `Creditering van factuur ${invoiceNumber}`,
    discountReason: 'Korting',
    page: (page, pages) => `Pagina ${page} van ${pages}`,
    notSubject: 'Niet onderworpen aan btw, art. 44/59 Richtlijn 2006/112/EG',
    exempt: 'Vrijgesteld van btw',
    reverseCharge: 'Btw verlegd',
  },
  lines: {
    setup: (what) => `${what}: opstartkosten`,
    trial: (what, days) => `${what}: proefperiode van ${counted(days, 'day')}`,
    fromPayment: (what, { interval, intervalCount }) =>
      `${what}: ${counted(intervalCount, interval)} vanaf de betaling`,
    period: (what, days) => `${what}: ${daysText(days, 'nl-NL')}`,
    unusedTime: (product, lastDay) => `${product}: ongebruikte tijd t/m ${day(lastDay)}`,
    restOfPeriod: (product, lastDay) => `${product}: rest van de periode t/m ${day(lastDay)}`,
    newPeriod: (product) => `${product}: nieuwe periode`,
    component: (name, label) => `${name ?? 'Locatie'}: ${label}`,
    topUp: 'Tegoed',
  },
  reasons: {
    priceExpired: () => 'De prijs is niet meer geldig',
    notPaidInTime: () => 'Niet op tijd betaald',
    serviceEnded: () => 'De dienst is afgelopen',
    terminated: () => 'De dienst is beëindigd',
    terminatedUnpaid: () => 'De dienst is beëindigd wegens niet-betaling',
    notSetUp: () => 'De dienst kon niet worden klaargezet',
    soldOut: () => 'Uitverkocht voordat de betaling binnenkwam',
    changeGivenUp: () => 'De wijziging is afgebroken',
    changeFailed: () => 'De wijziging kon niet worden uitgevoerd',
    changeCostsNothing: () => 'De wijziging kost niets meer',
    anotherChange: () => 'Vervangen door een andere wijziging',
    productChanged: () => 'De dienst is gewijzigd naar een ander product',
    changeOfProduct: () => 'Wijziging van product',
    optionsChanged: () => 'De opties van de dienst zijn gewijzigd',
    canceled: () => 'Opzegging',
    withdrawal: () => 'Herroeping van de overeenkomst',
    orderCanceled: () => 'De bestelling is geannuleerd',
    renewalReplaced: () => 'De verlenging is vervangen door een andere',
    nextPeriodOnAnotherPlan: () => 'De volgende periode heeft een ander pakket',
    freeDays: () => 'Er zijn gratis dagen toegevoegd vóór de volgende periode',
    refund: () => 'Terugbetaling',
    refundedAtProvider: () => 'Terugbetaald via de betaalprovider',
    correction: () => 'Correctie',
    voidedByStaff: () => 'Geannuleerd door een beheerder',
    duplicate: ({ number }) => `Duplicaat van ${number}`,
  },
}
