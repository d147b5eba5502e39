import type { AdminTexts } from '../admin.tsx'

export const orders: AdminTexts['orders'] = {
  title: 'Commandes',
  number: 'Commande',
  customer: 'Client',
  items: 'Articles',
  statusHead: 'État',
  total: 'Total',
  placed: 'Passée',
  paidAt: 'Payée',
  fulfilledAt: 'Livrée',
  canceledAt: 'Annulée',
  startsAt: 'Début',
  none: 'Aucune commande pour le moment',
  noneText: 'Les commandes apparaissent ici dès qu’un client en passe une.',
  invoice: 'Facture',
  openInvoice: 'Ouvrir la facture',
  servers: 'Serveurs',
  openServers: 'Serveurs de cette commande',
  quantity: 'Quantité',
  facts: 'Détails',
  id: 'Identifiant',
}
