import { withArticle } from '#lib/italian-days.ts'
import { daysText, dayText } from '../days.ts'
import type { InvoiceTexts } from '../invoices.ts'

function day(value: string): string {
  return dayText(value, 'it-IT')
}

const UNITS = {
  day: ['giorno', 'giorni'],
  week: ['settimana', 'settimane'],
  month: ['mese', 'mesi'],
  year: ['anno', 'anni'],
} as const

function counted(count: number, unit: keyof typeof UNITS): string {
  const [one, other] = UNITS[unit]
  return `${count} ${count === 1 ? one : other}`
}

export const invoices: InvoiceTexts = {
  printed: {
    locale: 'it',
    region: 'it-IT',
    invoice: 'Fattura',
    proForma: 'Fattura proforma',
    creditNote: 'Nota di credito',
    topUp: 'Ricevuta',
    number: 'Numero',
    issuedOn: 'Data di emissione',
    madeOn: 'Data',
    dueOn: 'Scadenza',
    corrects: (number, day) => `Rettifica la fattura ${number} ${withArticle('del', day)}`,
    reason: 'Motivo',
    seller: 'Venditore',
    buyer: 'Cliente',
    vatNumber: 'Partita IVA',
    registerNumber: 'N. registro imprese',
    description: 'Descrizione',
    quantity: 'Quantità',
    unitPrice: 'Prezzo unitario',
    discount: 'Sconto',
    vat: 'IVA',
    net: 'Importo netto',
    base: 'Imponibile',
    subtotal: 'Totale IVA esclusa',
    taxTotal: 'IVA',
    total: 'Totale',
    paid: 'Già pagato',
    paidOn: 'Data di pagamento',
    paidBy: (means, day) =>
      day === null ? `Pagato (${means})` : `Pagato ${withArticle('il', day)} (${means})`,
    means: {
      ...{ card: 'carta', sepa_debit: 'addebito diretto SEPA', paypal: 'PayPal' },
      ...{ bank_transfer: 'bonifico', credit: 'credito dell’account', other: 'altro metodo' },
    },
    due: 'Importo da pagare',
    credited: 'Importo accreditato',
    noTax: 'nessuna',
    proFormaMention:
      'Questo documento non è una fattura. Indica il prezzo di un ordine; la fattura segue con il pagamento.',
    topUpMention:
      'Acquisto di credito da usare in seguito, senza IVA: l’IVA è dovuta sulle fatture pagate con il credito.',
    creditTerms: 'L’importo viene rimborsato o compensato con quanto dovuto.',
    payBy: (iban) => `Da pagare con bonifico sull’IBAN ${iban}`,
    bic: (bic) => `BIC ${bic}`,
    reference: (number) => `causale ${number}`,
    creditOn: (invoiceNumber) => `Nota di credito sulla fattura ${invoiceNumber}`,
    discountReason: 'Sconto',
    page: (page, pages) => `Pagina ${page} di ${pages}`,
    notSubject: 'Non soggetto a IVA, art. 44/59 della direttiva 2006/112/CE',
    exempt: 'Esente da IVA',
    reverseCharge: 'Inversione contabile',
  },
  lines: {
    setup: (what) => `${what}: attivazione`,
    trial: (what, days) => `${what}: ${counted(days, 'day')} di prova`,
    fromPayment: (what, { interval, intervalCount }) =>
      `${what}: ${counted(intervalCount, interval)} dal pagamento`,
    period: (what, days) => `${what}: ${daysText(days, 'it-IT')}`,
    unusedTime: (product, lastDay) =>
      `${product}: tempo non utilizzato fino ${withArticle('al', day(lastDay))}`,
    restOfPeriod: (product, lastDay) =>
      `${product}: resto del periodo fino ${withArticle('al', day(lastDay))}`,
    newPeriod: (product) => `${product}: nuovo periodo`,
    component: (name, label) => `${name ?? 'Posizione'}: ${label}`,
    topUp: 'Ricarica del credito',
  },
  reasons: {
    priceExpired: () => 'Il prezzo non è più valido',
    notPaidInTime: () => 'Mancato pagamento entro i termini',
    serviceEnded: () => 'Il servizio è terminato',
    terminated: () => 'Il servizio è stato chiuso',
    terminatedUnpaid: () => 'Il servizio è stato chiuso per mancato pagamento',
    notSetUp: () => 'Non è stato possibile attivare il servizio',
    soldOut: () => 'Esaurito prima dell’arrivo del pagamento',
    changeGivenUp: () => 'Il cambio è stato annullato',
    changeFailed: () => 'Non è stato possibile eseguire il cambio',
    changeCostsNothing: () => 'Il cambio non costa più nulla',
    anotherChange: () => 'Sostituito da un altro cambio',
    productChanged: () => 'Il servizio è passato a un altro prodotto',
    changeOfProduct: () => 'Cambio di prodotto',
    optionsChanged: () => 'Le opzioni del servizio sono cambiate',
    canceled: () => 'Disdetta',
    withdrawal: () => 'Recesso dal contratto',
    orderCanceled: () => 'L’ordine è stato annullato',
    renewalReplaced: () => 'Il rinnovo è stato sostituito da un altro',
    nextPeriodOnAnotherPlan: () => 'Il prossimo periodo segue un altro piano',
    freeDays: () => 'Sono stati aggiunti giorni gratuiti prima del prossimo periodo',
    refund: () => 'Rimborso',
    refundedAtProvider: () => 'Rimborsato presso il fornitore di servizi di pagamento',
    correction: () => 'Rettifica',
    voidedByStaff: () => 'Annullamento da parte di un amministratore',
    duplicate: ({ number }) => `Duplicato di ${number}`,
  },
}
