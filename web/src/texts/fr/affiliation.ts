import type { AffiliationTexts } from '../parts.ts'

export const affiliation: AffiliationTexts = {
  title: 'Parrainage',
  offer: (share) => `Vous recevez ${share} de ce que paient les personnes venues par votre lien.`,
  first: 'Leur premier paiement compte.',
  recurring: 'Tous leurs paiements comptent.',
  months: (count) =>
    count <= 1
      ? 'Leurs paiements du premier mois comptent.'
      : `Leurs paiements des ${count} premiers mois comptent.`,
  hold: (days) =>
    days === 0
      ? 'La commission est utilisable dès le paiement.'
      : `La commission est utilisable ${days} ${days === 1 ? 'jour' : 'jours'} après le paiement.`,
  closed: 'Le programme est fermé',
  closedText: 'Les nouveaux participants ne sont pas acceptés pour le moment.',
  join: 'Participer',
  joinTitle: 'Recommandez-nous et gagnez du crédit',
  yourLink: 'Votre lien',
  suspended: 'Votre participation est suspendue. Contactez le support.',
  clicks: 'Clics',
  clicksText: (total: string, recent: string) => `${total}, dont ${recent} ces 30 derniers jours`,
  referrals: 'Filleuls',
  pending: 'En attente',
  available: 'Disponible',
  converted: 'Converti',
  convert: 'Convertir en crédit',
  convertText: (minimum) => `À partir de ${minimum}, vous pouvez convertir ce montant en crédit.`,
  convertedNow: 'Votre commission a été convertie en crédit',
  progress: 'Progression vers le minimum',
  commissions: 'Commissions',
  noCommissions:
    'Aucune commission pour le moment. Elle apparaît lorsqu’une personne venue par votre lien paie.',
  status: { pending: 'En attente', available: 'Disponible', reversed: 'Annulée' },
  statusHead: 'État',
  date: 'Date',
  amount: 'Montant',
  usableFrom: 'Utilisable à partir du',
}
