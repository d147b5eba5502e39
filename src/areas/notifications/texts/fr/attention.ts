import { type AttentionTexts, failureIn, linesOf, type ReportWords } from '../attention.ts'

const words: ReportWords = {
  locale: 'fr',
  colon: ' : ',
  labels: {
    amountCents: 'Montant',
    accountId: 'Compte',
    askedCents: 'Demandé',
    attemptId: 'Tentative',
    code: 'Code',
    count: 'Nombre',
    disputeId: 'Litige',
    eventId: 'Message',
    eventKey: 'Message du prestataire',
    gatewayId: 'Passerelle de paiement',
    message: 'Ce qui a été répondu',
    name: 'Nom',
    objectId: 'Chez le prestataire',
    paymentId: 'Paiement',
    receivedCents: 'Reçu',
    refundCents: 'Remboursé',
    refundId: 'Remboursement',
    requestedCents: 'Réclamé',
    state: 'État',
    statementId: 'Relevé bancaire',
    type: 'Type',
    userId: 'Client',
    why: 'Ce qui diffère',
  },
  failures: {
    account_busy: 'Le compte du client sur le panel est déjà en cours de création.',
    backups_in_use: 'Le serveur a plus de sauvegardes que n’en a le nouveau produit.',
    country_unknown: 'Nous ne connaissons pas le pays du client.',
    databases_in_use: 'Le serveur a plus de bases de données que n’en a le nouveau produit.',
    disk_in_use: 'Le serveur occupe plus de disque que n’en a le nouveau produit.',
    given_up: 'Un opérateur y a renoncé.',
    no_blueprint: 'Le produit ne dit pas ce qu’il faut installer.',
    no_capacity: 'Il n’y a pas assez de place.',
    no_customer: 'Le client n’existe plus.',
    no_egg: 'L’egg du produit n’est pas sur ce panel.',
    no_panel: 'L’egg n’est sur aucun des panels du produit.',
    node_deleted: 'La connexion au panel a été supprimée.',
    not_done: 'Le panel a dit que c’était fait, et ce ne l’était pas.',
    ports_in_use: 'Le serveur a plus de ports que n’en a le nouveau produit.',
    server_gone: 'Le serveur n’est pas sur le panel.',
    service_ended: 'Le service est terminé, ou sur le point de l’être.',
    tax_rate_unknown: 'Aucun taux de TVA n’est connu pour le pays du client.',
    trial_used: 'Un autre client a déjà essayé ce produit avec le même compte sur le panneau.',
    unexpected: 'Sa facture n’a pas pu être écrite. Le journal dit pourquoi.',
    unmanaged: 'Son serveur n’est sur aucun panel connecté. Merci de vous en occuper à la main.',
  },
}

const GOALS = {
  active: 'être remis en marche',
  suspended: 'être suspendu',
  ended: 'être arrêté',
  deleted: 'être supprimé',
} as const

const DISABLED = {
  gone: 'Il a répondu 410 : il ne veut plus rien recevoir.',
  failing: 'Depuis cinq jours, rien n’y est arrivé.',
} as const

/** What administrators are told of their work, in French. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title: `${it.others > 0 ? `${it.name} et ${it.others === 1 ? '1 autre' : `${it.others} autres`} n’ont` : `${it.name} n’a`} pas pu être ${it.others > 0 ? 'renouvelés' : 'renouvelé'}`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `${it.name} n’a pas pu être réinstallé`,
    body: `L’installation de ${it.name} sur le panel a échoué.`,
  }),
  upgrade_failed: (it) => ({
    title: `${it.name} n’a pas pu être modifié`,
    body: failureIn(words, it),
  }),
  service_stuck: (it) => ({
    title: `Le serveur de ${it.name} n’a pas pu ${GOALS[it.goal]}`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `${it.name} n’a pas pu être installé`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `${it.name} attend d’être installé`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'Un numéro de TVA n’est pas dans le registre de l’UE',
    body: `${it.email} : ${it.vatNumber}. Les prochaines factures porteront la TVA.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'Un egg modifié empêche de créer les serveurs de certains produits'
      : 'Un egg de certains produits a changé',
    body: [
      `Eggs : ${eggs.join(', ')}`,
      ...products.map(({ name, faults }) => `${name} : ${faults || 'peut être créé comme avant'}`),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `${name} n’est plus en vente`,
    body: [
      'Aucun serveur ne peut en être créé : la boutique ne le montre plus et ne le vend plus. Les services existants continuent.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `Le point de réception ${it.host} a été désactivé`,
    body: `${DISABLED[it.reason]} Ce qui arrive désormais est conservé et peut être renvoyé.`,
  }),
  warning_refused: (it) => ({
    title: `Nos avis au sujet de ${it.name} n’arrivent pas`,
    body:
      it.step === 'end'
        ? `Le client n’a pas pu être averti par e-mail que le service prend fin faute de paiement. Il prendra fin malgré tout le ${it.on} au plus tôt. D’ici là, vous pouvez le joindre autrement ou renvoyer l’e-mail.`
        : `Le client n’a pas pu être averti par e-mail que le serveur sera suspendu faute de paiement. Il sera suspendu malgré tout le ${it.on} au plus tôt. D’ici là, vous pouvez le joindre autrement ou renvoyer l’e-mail.`,
  }),
  bank_entries_open: (it) => ({
    title: 'De l’argent est arrivé par virement avec une référence inconnue',
    body: linesOf(words, it),
  }),
  books_differ: (it) => ({
    title: 'Les comptes d’un prestataire de paiement diffèrent des nôtres',
    body: linesOf(words, it),
  }),
  books_not_read: (it) => ({
    title: 'Un prestataire de paiement ne laisse pas lire sa liste de paiements',
    body: linesOf(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'Des frais de litige dans une autre devise n’ont pas été comptabilisés',
    body: linesOf(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'Un message d’un prestataire de paiement n’a pas pu être traité',
    body: linesOf(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'Une passerelle de paiement a reçu un message de l’autre mode',
    body: linesOf(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'Une passerelle de paiement n’accepte plus ses identifiants',
    body: linesOf(words, it),
  }),
  late_payment: (it) => ({
    title: 'De l’argent est arrivé pour une facture qui n’était plus ouverte',
    body: linesOf(words, it),
  }),
  payment_disputed: (it) => ({ title: 'Un paiement est contesté', body: linesOf(words, it) }),
  payment_mismatch: (it) => ({
    title: 'Un paiement diffère de ce qui était demandé et n’a pas été comptabilisé',
    body: linesOf(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'Un paiement n’a pas pu être lancé',
    body: linesOf(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'Un remboursement chez le prestataire dépasse ce qui restait au client',
    body: linesOf(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'Un remboursement est à verser à la main',
    body: linesOf(words, it),
  }),
  refund_failed: (it) => ({
    title: 'Un remboursement a échoué et a été porté au solde du client',
    body: linesOf(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'Un remboursement ne correspond pas à son paiement et n’a pas été comptabilisé',
    body: linesOf(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'Un remboursement n’a pas pu être transmis à son prestataire',
    body: linesOf(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'Un prestataire de paiement n’a pas pu apprendre où nous écrire',
    body: linesOf(words, it),
  }),
}
