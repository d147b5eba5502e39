import { plural } from '#lib/plural.ts'
import { daysText, dayText } from '../days.ts'
import type { InvoiceTexts } from '../invoices.ts'

function day(value: string): string {
  return dayText(value, 'pt-PT')
}

const UNITS = {
  day: ['dia', 'dias'],
  week: ['semana', 'semanas'],
  month: ['mês', 'meses'],
  year: ['ano', 'anos'],
} as const

function counted(count: number, unit: keyof typeof UNITS): string {
  const [one, other] = UNITS[unit]
  return `${count} ${plural('pt-PT', count, one, other)}`
}

export const invoices: InvoiceTexts = {
  printed: {
    locale: 'pt',
    region: 'pt-PT',
    invoice: 'Fatura',
    proForma: 'Fatura pró-forma',
    creditNote: 'Nota de crédito',
    topUp: 'Recibo',
    number: 'Número',
    issuedOn: 'Data de emissão',
    madeOn: 'Data',
    dueOn: 'Vencimento',
    corrects: (number, day) => `Retifica a fatura ${number} de ${day}`,
    reason: 'Motivo',
    seller: 'Vendedor',
    buyer: 'Cliente',
    vatNumber: 'N.º de IVA',
    registerNumber: 'N.º de registo',
    description: 'Descrição',
    quantity: 'Qtd.',
    unitPrice: 'Preço unitário',
    discount: 'Desconto',
    vat: 'IVA',
    net: 'Valor sem IVA',
    base: 'base tributável',
    subtotal: 'Total sem IVA',
    taxTotal: 'IVA',
    total: 'Total',
    paid: 'Já pago',
    paidOn: 'Data de pagamento',
    paidBy: (means, day) => (day === null ? `Pago (${means})` : `Pago em ${day} (${means})`),
    means: {
      ...{ card: 'cartão', sepa_debit: 'débito direto SEPA', paypal: 'PayPal' },
      ...{ bank_transfer: 'transferência bancária', credit: 'crédito da conta' },
      ...{ other: 'outro meio' },
    },
    due: 'Total a pagar',
    credited: 'Valor creditado',
    noTax: 'sem',
    proFormaMention:
      'Este documento não é uma fatura. Indica quanto custará uma encomenda; a fatura é emitida com o pagamento.',
    topUpMention:
      'Compra de crédito para uso posterior, sem IVA: o imposto é devido nas faturas pagas com esse crédito.',
    creditTerms: 'O valor é reembolsado ou deduzido do que estiver em dívida.',
    payBy: (iban) => `Pague por transferência para o IBAN ${iban}`,
    bic: (bic) => `BIC ${bic}`,
    reference: (number) => `referência ${number}`,
    creditOn: (invoiceNumber) => `Nota de crédito da fatura ${invoiceNumber}`,
    discountReason: 'Desconto',
    page: (page, pages) => `Página ${page} de ${pages}`,
    notSubject: 'Não sujeito a IVA, art. 44.º/59.º da Diretiva 2006/112/CE',
    exempt: 'Isento de IVA',
    reverseCharge: 'IVA – autoliquidação',
  },
  lines: {
    setup: (what) => `${what}: instalação`,
    trial: (what, days) => `${what}: período experimental de ${counted(days, 'day')}`,
    fromPayment: (what, { interval, intervalCount }) =>
      `${what}: ${counted(intervalCount, interval)} a contar do pagamento`,
    period: (what, days) => `${what}: ${daysText(days, 'pt-PT')}`,
    unusedTime: (product, lastDay) => `${product}: tempo não utilizado até ${day(lastDay)}`,
    restOfPeriod: (product, lastDay) => `${product}: resto do período até ${day(lastDay)}`,
    newPeriod: (product) => `${product}: novo período`,
    component: (name, label) => `${name ?? 'Localização'}: ${label}`,
    topUp: 'Crédito',
  },
  reasons: {
    priceExpired: () => 'O preço já não é válido',
    notPaidInTime: () => 'Não paga dentro do prazo',
    serviceEnded: () => 'O serviço terminou',
    terminated: () => 'O serviço foi rescindido',
    terminatedUnpaid: () => 'O serviço foi rescindido por falta de pagamento',
    notSetUp: () => 'Não foi possível instalar o serviço',
    soldOut: () => 'Esgotado antes da chegada do pagamento',
    changeGivenUp: () => 'Desistência da alteração',
    changeFailed: () => 'Não foi possível fazer a alteração',
    changeCostsNothing: () => 'A alteração já não tem custos',
    anotherChange: () => 'Substituída por outra alteração',
    productChanged: () => 'O serviço passou para outro produto',
    changeOfProduct: () => 'Mudança de produto',
    optionsChanged: () => 'As opções do serviço mudaram',
    canceled: () => 'Cancelamento',
    withdrawal: () => 'Livre resolução do contrato',
    orderCanceled: () => 'A encomenda foi cancelada',
    renewalReplaced: () => 'A renovação foi substituída por outra',
    nextPeriodOnAnotherPlan: () => 'O próximo período tem outro plano',
    freeDays: () => 'Foram adicionados dias grátis antes do próximo período',
    refund: () => 'Reembolso',
    refundedAtProvider: () => 'Reembolsado no prestador de pagamentos',
    correction: () => 'Correção',
    voidedByStaff: () => 'Anulada por um administrador',
    duplicate: ({ number }) => `Duplicado de ${number}`,
  },
}
