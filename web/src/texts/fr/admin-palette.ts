import type { AdminTexts } from '../admin.tsx'

export const palette: AdminTexts['palette'] = {
  placeholder: 'Nom, numéro, adresse, identifiant ou commande',
  retryAll: 'Voir tous les serveurs en difficulté',
  newInvoice: 'Nouvelle facture',
  disputes: 'Répondre aux contestations',
  bank: 'Affecter les virements',
  mrr: 'Rapport : revenu récurrent',
  receivables: 'Rapport : créances',
  oss: 'Rapport : guichet unique',
  shop: 'Voir la boutique',
  groups: {
    person: 'Clients',
    company: 'Sociétés',
    service: 'Serveurs',
    invoice: 'Factures',
    order: 'Commandes',
    payment: 'Paiements',
    payment_attempt: 'Tentatives de paiement',
    refund: 'Remboursements',
    dispute: 'Contestations',
    credit_note: 'Avoirs',
    imported_payment: 'Paiements dans l’ancien système',
    imported_order: 'Commandes dans l’ancien système',
    coupon: 'Codes promo',
    ticket: 'Tickets',
  },
}
