/** The words on a printed document, in one language. */
export type PrintedTexts = {
  readonly locale: 'en' | 'fr'
  readonly invoice: string
  readonly proForma: string
  readonly creditNote: string
  readonly topUp: string
  readonly number: string
  readonly issuedOn: string
  readonly madeOn: string
  readonly dueOn: string
  readonly corrects: (number: string, day: string) => string
  readonly reason: string
  readonly seller: string
  readonly buyer: string
  readonly vatNumber: string
  readonly registerNumber: string
  readonly description: string
  readonly quantity: string
  readonly unitPrice: string
  readonly discount: string
  readonly vat: string
  readonly net: string
  readonly base: string
  readonly subtotal: string
  readonly taxTotal: string
  readonly total: string
  readonly paid: string
  readonly due: string
  readonly credited: string
  readonly noTax: string
  readonly proFormaMention: string
  readonly topUpMention: string
  readonly creditTerms: string
  readonly payBy: (iban: string) => string
  readonly bic: (bic: string) => string
  readonly reference: (number: string) => string
  readonly creditOn: (invoiceNumber: string) => string
  readonly discountReason: string
  readonly page: (page: number, pages: number) => string
  readonly notSubject: string
  readonly exempt: string
  readonly reverseCharge: string
}

const en: PrintedTexts = {
  locale: 'en',
  invoice: 'Invoice',
  proForma: 'Pro forma invoice',
  creditNote: 'Credit note',
  topUp: 'Receipt',
  number: 'Number',
  issuedOn: 'Issue date',
  madeOn: 'Date',
  dueOn: 'Due date',
  corrects: (number, day) => `Corrects invoice ${number} of ${day}`,
  reason: 'Reason',
  seller: 'From',
  buyer: 'To',
  vatNumber: 'VAT number',
  registerNumber: 'Register number',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  discount: 'Discount',
  vat: 'VAT',
  net: 'Net',
  base: 'Base',
  subtotal: 'Total before VAT',
  taxTotal: 'VAT',
  total: 'Total',
  paid: 'Already paid',
  due: 'Amount due',
  credited: 'Amount credited',
  noTax: 'none',
  proFormaMention:
    'This is not an invoice. It shows what an order will cost; the invoice follows with the payment.',
  topUpMention:
    'Purchase of credit for later use. No VAT is due on it: VAT arises on the invoices it pays.',
  creditTerms: 'The amount is paid back, or set off against what is due.',
  payBy: (iban) => `Please pay by transfer to IBAN ${iban}`,
  bic: (bic) => `BIC ${bic}`,
  reference: (number) => `reference ${number}`,
  creditOn: (invoiceNumber) => `Credit on invoice ${invoiceNumber}`,
  discountReason: 'Discount',
  page: (page, pages) => `Page ${page} of ${pages}`,
  notSubject: 'Not subject to VAT, art. 44/59 Directive 2006/112/EC',
  exempt: 'Exempt from VAT',
  reverseCharge: 'Reverse charge',
}

const fr: PrintedTexts = {
  locale: 'fr',
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
}

/** The words in a customer's language; English where it is another one. */
export function textsIn(locale: string): PrintedTexts {
  return locale === 'fr' ? fr : en
}
