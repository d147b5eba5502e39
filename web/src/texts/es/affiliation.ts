import type { AffiliationTexts } from '../parts.ts'
import { plural } from '../plural.ts'

export const affiliation: AffiliationTexts = {
  title: 'Invitar a amigos',
  offer: (share) => `Recibes el ${share} de lo que pagan las personas que llegan por tu enlace.`,
  first: 'Cuenta su primer pago.',
  recurring: 'Cuentan todos sus pagos.',
  months: (count) =>
    count === 1
      ? 'Cuentan sus pagos del primer mes.'
      : `Cuentan sus pagos de los primeros ${count} meses.`,
  hold: (days) =>
    days === 0
      ? 'La comisión se puede usar desde el momento del pago.'
      : `La comisión se puede usar ${days} ${plural('es', days, 'día', 'días')} después del pago.`,
  closed: 'El programa está cerrado',
  closedText: 'En este momento no se admiten nuevos participantes.',
  join: 'Participar',
  joinTitle: 'Recomiéndanos y gana saldo',
  yourLink: 'Tu enlace',
  suspended: 'Tu participación está suspendida. Contacta con soporte.',
  clicks: 'Clics',
  clicksText: (total: string, recent: string) =>
    `${total}, de ellos ${recent} en los últimos 30 días`,
  referrals: 'Referidos',
  pending: 'Pendiente',
  available: 'Disponible',
  converted: 'Convertida',
  convert: 'Convertir en saldo',
  convertText: (minimum) => `A partir de ${minimum}, puedes convertirla en saldo.`,
  convertedNow: 'Tu comisión se ha convertido en saldo',
  progress: 'Progreso hasta el mínimo',
  commissions: 'Comisiones',
  noCommissions:
    'Aún no hay comisiones. Aparecerán cuando pague alguien que haya llegado por tu enlace.',
  status: { pending: 'Pendiente', available: 'Disponible', reversed: 'Anulada' },
  statusHead: 'Estado',
  date: 'Fecha',
  amount: 'Importe',
  usableFrom: 'Se puede usar desde',
}
