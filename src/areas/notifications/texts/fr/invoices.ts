import { daysText, dayText } from '../days.ts'
import type { InvoiceTexts } from '../invoices.ts'

function day(value: string): string {
  return dayText(value, 'fr-FR')
}

const UNITS = { day: 'jour', week: 'semaine', month: 'mois', year: 'an' } as const

function counted(count: number, unit: keyof typeof UNITS): string {
  const word = UNITS[unit]
  return `${count} ${count < 2 || word.endsWith('s') ? word : `${word}s`}`
}

export const invoices: InvoiceTexts = {
  printed: {
    locale: 'fr',
    region: 'fr-FR',
    invoice: 'Facture',
    proForma: 'Facture pro forma',
    creditNote: 'Avoir',
    topUp: 'Reçu',
    number: 'Numéro',
    issuedOn: 'Date d’émission',
    madeOn: 'Date',
    dueOn: 'Échéance',
    corrects: (number, day) => `Rectifie la facture ${number} du ${day}`,
    reason: 'Motif',
    seller: 'Vendeur',
    buyer: 'Client',
    vatNumber: 'N° de TVA',
    registerNumber: 'N° d’immatriculation',
    description: 'Désignation',
    quantity: 'Quantité',
    unitPrice: 'Prix unitaire HT',
    discount: 'Remise',
    vat: 'TVA',
    net: 'Montant HT',
    base: 'Base HT',
    subtotal: 'Total HT',
    taxTotal: 'TVA',
    total: 'Total TTC',
    paid: 'Déjà réglé',
    paidOn: 'Date de paiement',
    paidBy: (means, day) => (day === null ? `Réglé (${means})` : `Réglé le ${day} (${means})`),
    means: {
      ...{ card: 'carte bancaire', sepa_debit: 'prélèvement SEPA', paypal: 'PayPal' },
      ...{ bank_transfer: 'virement', credit: 'solde du compte', other: 'autre moyen' },
    },
    due: 'Net à payer',
    credited: 'Montant de l’avoir',
    noTax: 'sans',
    proFormaMention:
      'Ce document n’est pas une facture. Il indique le prix d’une commande ; la facture suit le règlement.',
    topUpMention:
      'Achat de crédit à utiliser plus tard, sans TVA : elle est due sur les factures qu’il règle.',
    creditTerms: 'Le montant est remboursé ou déduit des sommes dues.',
    payBy: (iban) => `À régler par virement sur l’IBAN ${iban}`,
    bic: (bic) => `BIC ${bic}`,
    reference: (number) => `référence ${number}`,
    creditOn: (invoiceNumber) => `Avoir sur la facture ${invoiceNumber}`,
    discountReason: 'Remise',
    page: (page, pages) => `Page ${page} sur ${pages}`,
    notSubject: 'Non soumis à la TVA, art. 44/59 de la directive 2006/112/CE',
    exempt: 'Exonéré de TVA',
    reverseCharge: 'Autoliquidation',
  },
  lines: {
    setup: (what) => `${what} : frais de mise en service`,
    trial: (what, days) => `${what} : ${counted(days, 'day')} d’essai`,
    fromPayment: (what, { interval, intervalCount }) =>
      `${what} : ${counted(intervalCount, interval)} à compter du paiement`,
    period: (what, days) => `${what} : ${daysText(days, 'fr-FR')}`,
    unusedTime: (product, lastDay) => `${product} : temps non utilisé jusqu’au ${day(lastDay)}`,
    restOfPeriod: (product, lastDay) => `${product} : reste de la période jusqu’au ${day(lastDay)}`,
    newPeriod: (product) => `${product} : nouvelle période`,
    component: (name, label) => `${name ?? 'Emplacement'} : ${label}`,
    topUp: 'Crédit',
  },
  reasons: {
    priceExpired: () => 'Son prix n’est plus valable',
    notPaidInTime: () => 'Non réglé dans les délais',
    serviceEnded: () => 'Le service est terminé',
    terminated: () => 'Le service a été résilié',
    terminatedUnpaid: () => 'Le service a été résilié pour défaut de paiement',
    notSetUp: () => 'Le service n’a pas pu être mis en place',
    soldOut: () => 'Stock épuisé avant la réception du paiement',
    changeGivenUp: () => 'Le changement a été abandonné',
    changeFailed: () => 'Le changement n’a pas pu être effectué',
    changeCostsNothing: () => 'Le changement ne coûte plus rien',
    anotherChange: () => 'Un autre changement l’a remplacé',
    productChanged: () => 'Le service est passé à un autre produit',
    changeOfProduct: () => 'Changement de produit',
    optionsChanged: () => 'Les options du service ont changé',
    canceled: () => 'Résiliation',
    withdrawal: () => 'Rétractation',
    orderCanceled: () => 'La commande a été annulée',
    renewalReplaced: () => 'Le renouvellement a été remplacé par un autre',
    nextPeriodOnAnotherPlan: () => 'La période suivante suit une autre formule',
    freeDays: () => 'Des jours offerts ont été ajoutés avant la période suivante',
    refund: () => 'Remboursement',
    refundedAtProvider: () => 'Remboursé auprès du prestataire de paiement',
    correction: () => 'Rectification',
    voidedByStaff: () => 'Annulé par un administrateur',
    duplicate: ({ number }) => `Doublon de ${number}`,
  },
}
