import { plural } from '#lib/plural.ts'
import { daysText, dayText } from '../days.ts'
import type { InvoiceTexts } from '../invoices.ts'

function day(value: string): string {
  return dayText(value, 'pl-PL')
}

const UNITS = {
  day: ['dzień', 'dni', 'dni'],
  week: ['tydzień', 'tygodni', 'tygodnie'],
  month: ['miesiąc', 'miesięcy', 'miesiące'],
  year: ['rok', 'lat', 'lata'],
} as const

function counted(count: number, unit: keyof typeof UNITS): string {
  const [one, many, few] = UNITS[unit]
  return `${count} ${plural('pl', count, one, many, few)}`
}

export const invoices: InvoiceTexts = {
  printed: {
    locale: 'pl',
    region: 'pl-PL',
    invoice: 'Faktura',
    proForma: 'Faktura pro forma',
    creditNote: 'Faktura korygująca',
    topUp: 'Potwierdzenie doładowania',
    number: 'Numer',
    issuedOn: 'Data wystawienia',
    madeOn: 'Data',
    dueOn: 'Termin płatności',
    corrects: (number, day) => `Korekta faktury ${number} z dnia ${day}`,
    reason: 'Przyczyna',
    seller: 'Sprzedawca',
    buyer: 'Nabywca',
    vatNumber: 'Numer VAT',
    registerNumber: 'Numer w rejestrze',
    description: 'Nazwa',
    quantity: 'Ilość',
    unitPrice: 'Cena netto',
    discount: 'Rabat',
    vat: 'VAT',
    net: 'Netto',
    base: 'Podstawa',
    subtotal: 'Razem netto',
    taxTotal: 'VAT',
    total: 'Razem brutto',
    paid: 'Już zapłacono',
    paidOn: 'Data płatności',
    paidBy: (means, day) => (day === null ? `Zapłacono (${means})` : `Zapłacono ${day} (${means})`),
    means: {
      ...{ card: 'karta', sepa_debit: 'polecenie zapłaty SEPA', paypal: 'PayPal' },
      ...{ bank_transfer: 'przelew', credit: 'saldo konta', other: 'inna metoda' },
    },
    due: 'Do zapłaty',
    credited: 'Kwota korekty',
    noTax: 'brak',
    proFormaMention:
      'To nie jest faktura. Dokument pokazuje koszt zamówienia; faktura zostanie wystawiona po płatności.',
    topUpMention:
      'Doładowanie salda do późniejszego wykorzystania, bez VAT: podatek zostanie naliczony na fakturach opłaconych z salda.',
    creditTerms: 'Kwota zostanie zwrócona albo zaliczona na poczet należności.',
    payBy: (iban) => `Zapłać przelewem na IBAN ${iban}`,
    bic: (bic) => `BIC ${bic}`,
    reference: (number) => `tytuł przelewu ${number}`,
    creditOn: (invoiceNumber) => `Korekta faktury ${invoiceNumber}`,
    discountReason: 'Rabat',
    page: (page, pages) => `Strona ${page} z ${pages}`,
    notSubject: 'Nie podlega VAT, art. 44/59 dyrektywy 2006/112/WE',
    exempt: 'Zwolnione z VAT',
    reverseCharge: 'Odwrotne obciążenie',
  },
  lines: {
    setup: (what) => `${what}: uruchomienie`,
    trial: (what, days) => `${what}: ${counted(days, 'day')} okresu próbnego`,
    fromPayment: (what, { interval, intervalCount }) =>
      `${what}: ${counted(intervalCount, interval)} od płatności`,
    period: (what, days) => `${what}: ${daysText(days, 'pl-PL')}`,
    unusedTime: (product, lastDay) => `${product}: niewykorzystany czas do ${day(lastDay)}`,
    restOfPeriod: (product, lastDay) => `${product}: reszta okresu do ${day(lastDay)}`,
    newPeriod: (product) => `${product}: nowy okres`,
    component: (name, label) => `${name ?? 'Lokalizacja'}: ${label}`,
    topUp: 'Doładowanie salda',
  },
  reasons: {
    priceExpired: () => 'Cena straciła ważność',
    notPaidInTime: () => 'Brak płatności w terminie',
    serviceEnded: () => 'Usługa się zakończyła',
    terminated: () => 'Umowa na usługę została rozwiązana',
    terminatedUnpaid: () => 'Umowa na usługę została rozwiązana z powodu braku płatności',
    notSetUp: () => 'Nie udało się przygotować usługi',
    soldOut: () => 'Wyprzedane, zanim wpłynęła płatność',
    changeGivenUp: () => 'Zrezygnowano ze zmiany',
    changeFailed: () => 'Nie udało się wprowadzić zmiany',
    changeCostsNothing: () => 'Zmiana nic już nie kosztuje',
    anotherChange: () => 'Zastąpiono inną zmianą',
    productChanged: () => 'Usługę zmieniono na inny produkt',
    changeOfProduct: () => 'Zmiana produktu',
    optionsChanged: () => 'Zmieniono opcje usługi',
    canceled: () => 'Rezygnacja',
    withdrawal: () => 'Odstąpienie od umowy',
    orderCanceled: () => 'Zamówienie zostało anulowane',
    renewalReplaced: () => 'Odnowienie zastąpiono innym',
    nextPeriodOnAnotherPlan: () => 'Następny okres jest w innym planie',
    freeDays: () => 'Przed następnym okresem dodano darmowe dni',
    refund: () => 'Zwrot',
    refundedAtProvider: () => 'Zwrot u operatora płatności',
    correction: () => 'Korekta',
    voidedByStaff: () => 'Anulowana przez administratora',
    duplicate: ({ number }) => `Duplikat dokumentu ${number}`,
  },
}
