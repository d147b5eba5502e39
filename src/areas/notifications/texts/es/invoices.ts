import { plural } from '#lib/plural.ts'
import { daysText, dayText } from '../days.ts'
import type { InvoiceTexts } from '../invoices.ts'

function day(value: string): string {
  return dayText(value, 'es-ES')
}

const UNITS = {
  day: ['día', 'días'],
  week: ['semana', 'semanas'],
  month: ['mes', 'meses'],
  year: ['año', 'años'],
} as const

function counted(count: number, unit: keyof typeof UNITS): string {
  const [one, other] = UNITS[unit]
  return `${count} ${plural('es', count, one, other)}`
}

export const invoices: InvoiceTexts = {
  printed: {
    locale: 'es',
    region: 'es-ES',
    invoice: 'Factura',
    proForma: 'Factura proforma',
    creditNote: 'Factura rectificativa',
    topUp: 'Recibo',
    number: 'Número',
    issuedOn: 'Fecha de emisión',
    madeOn: 'Fecha',
    dueOn: 'Vencimiento',
    corrects: (number, day) => `Rectifica la factura ${number} de fecha ${day}`,
    reason: 'Motivo',
    seller: 'Vendedor',
    buyer: 'Cliente',
    vatNumber: 'NIF-IVA',
    registerNumber: 'N.º de registro',
    description: 'Concepto',
    quantity: 'Cantidad',
    unitPrice: 'Precio sin IVA',
    discount: 'Descuento',
    vat: 'IVA',
    net: 'Importe sin IVA',
    base: 'base imponible',
    subtotal: 'Total sin IVA',
    taxTotal: 'IVA',
    total: 'Total',
    paid: 'Ya pagado',
    paidOn: 'Fecha de pago',
    paidBy: (means, day) => (day === null ? `Pagado (${means})` : `Pagado el ${day} (${means})`),
    means: {
      ...{ card: 'tarjeta', sepa_debit: 'adeudo directo SEPA', paypal: 'PayPal' },
      ...{ bank_transfer: 'transferencia', credit: 'saldo de la cuenta', other: 'otro medio' },
    },
    due: 'Total a pagar',
    credited: 'Importe rectificado',
    noTax: 'sin IVA',
    proFormaMention:
      'Este documento no es una factura. Indica lo que costará un pedido; la factura se emite con el pago.',
    topUpMention:
      'Compra de saldo para usarlo más adelante. No devenga IVA: el IVA se aplica en las facturas que se paguen con él.',
    creditTerms: 'El importe se reembolsa o se descuenta de las cantidades pendientes.',
    payBy: (iban) => `Paga por transferencia al IBAN ${iban}`,
    bic: (bic) => `BIC ${bic}`,
    reference: (number) => `referencia ${number}`,
    creditOn: (invoiceNumber) => `Rectificación de la factura ${invoiceNumber}`,
    discountReason: 'Descuento',
    page: (page, pages) => `Página ${page} de ${pages}`,
    notSubject: 'Operación no sujeta a IVA, art. 44/59 de la Directiva 2006/112/CE',
    exempt: 'Operación exenta de IVA',
    reverseCharge: 'Inversión del sujeto pasivo',
  },
  lines: {
    setup: (what) => `${what}: puesta en marcha`,
    trial: (what, days) => `${what}: ${counted(days, 'day')} de prueba`,
    fromPayment: (what, { interval, intervalCount }) =>
      `${what}: ${counted(intervalCount, interval)} desde el pago`,
    period: (what, days) => `${what}: ${daysText(days, 'es-ES')}`,
    unusedTime: (product, lastDay) => `${product}: tiempo no utilizado hasta el ${day(lastDay)}`,
    restOfPeriod: (product, lastDay) => `${product}: resto del periodo hasta el ${day(lastDay)}`,
    newPeriod: (product) => `${product}: nuevo periodo`,
    component: (name, label) => `${name ?? 'Ubicación'}: ${label}`,
    topUp: 'Recarga de saldo',
  },
  reasons: {
    priceExpired: () => 'Su precio ya no es válido',
    notPaidInTime: () => 'No se ha pagado a tiempo',
    serviceEnded: () => 'El servicio ha finalizado',
    terminated: () => 'Se ha rescindido el servicio',
    terminatedUnpaid: () => 'Se ha rescindido el servicio por falta de pago',
    notSetUp: () => 'No se ha podido instalar el servicio',
    soldOut: () => 'Agotado antes de recibirse el pago',
    changeGivenUp: () => 'Se ha renunciado al cambio',
    changeFailed: () => 'No se ha podido hacer el cambio',
    changeCostsNothing: () => 'El cambio ya no cuesta nada',
    anotherChange: () => 'Otro cambio lo ha sustituido',
    productChanged: () => 'El servicio ha pasado a otro producto',
    changeOfProduct: () => 'Cambio de producto',
    optionsChanged: () => 'Han cambiado las opciones del servicio',
    canceled: () => 'Baja del servicio',
    withdrawal: () => 'Desistimiento del contrato',
    orderCanceled: () => 'Se ha cancelado el pedido',
    renewalReplaced: () => 'Otra renovación ha sustituido a esta',
    nextPeriodOnAnotherPlan: () => 'El próximo periodo tiene otro plan',
    freeDays: () => 'Se han añadido días gratis antes del próximo periodo',
    refund: () => 'Reembolso',
    refundedAtProvider: () => 'Reembolsado en el proveedor de pagos',
    correction: () => 'Rectificación',
    voidedByStaff: () => 'Anulada por un administrador',
    duplicate: ({ number }) => `Duplicado de ${number}`,
  },
}
