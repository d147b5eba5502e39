import type { AffiliationTexts } from '../parts.ts'
import { plural } from '../plural.ts'

export const affiliation: AffiliationTexts = {
  title: 'Convidar amigos',
  offer: (share) => `Recebe ${share} do que pagam as pessoas que chegam através do seu link.`,
  first: 'Conta o primeiro pagamento de cada uma.',
  recurring: 'Contam todos os pagamentos dessas pessoas.',
  months: (count) =>
    count === 1
      ? 'Contam os pagamentos do primeiro mês.'
      : `Contam os pagamentos dos primeiros ${count} meses.`,
  hold: (days) =>
    days === 0
      ? 'A comissão pode ser usada a partir do pagamento.'
      : `A comissão pode ser usada ${days} ${plural('pt-PT', days, 'dia', 'dias')} após o pagamento.`,
  closed: 'O programa está fechado',
  closedText: 'De momento, não são aceites novos participantes.',
  join: 'Participar',
  joinTitle: 'Recomende-nos e ganhe crédito',
  yourLink: 'O seu link',
  suspended: 'A sua participação está suspensa. Contacte o apoio.',
  clicks: 'Cliques',
  clicksText: (total: string, recent: string) =>
    `${total}, dos quais ${recent} nos últimos 30 dias`,
  referrals: 'Recomendações',
  pending: 'Pendente',
  available: 'Disponível',
  converted: 'Convertida',
  convert: 'Converter em crédito',
  convertText: (minimum) => `A partir de ${minimum}, pode converter a comissão em crédito.`,
  convertedNow: 'A sua comissão foi convertida em crédito',
  progress: 'Progresso até ao mínimo',
  commissions: 'Comissões',
  noCommissions:
    'Ainda não há comissões. Aparecem quando paga alguém que chegou através do seu link.',
  status: { pending: 'Pendente', available: 'Disponível', reversed: 'Anulada' },
  statusHead: 'Estado',
  date: 'Data',
  amount: 'Valor',
  usableFrom: 'Utilizável desde',
}
