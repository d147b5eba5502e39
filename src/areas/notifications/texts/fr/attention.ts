import { plural } from '#lib/plural.ts'
import { type AttentionTexts, detailsIn, failureIn, type ReportWords } from '../attention.ts'
import { dayText } from '../days.ts'

function day(value: string): string {
  return dayText(value, 'fr-FR').replace(/^1 /, '1er ')
}

const words: ReportWords = {
  locale: 'fr',
  colon: ' : ',
  labels: {
    amountCents: 'Montant',
    accountId: 'Compte',
    askedCents: 'Attendu',
    attemptId: 'Tentative',
    code: 'Code',
    count: 'Nombre',
    disputeId: 'Litige',
    eventId: 'Événement',
    eventKey: 'Événement du prestataire',
    gatewayId: 'Passerelle de paiement',
    message: 'Réponse',
    name: 'Nom',
    objectId: 'Identifiant chez le prestataire',
    paymentId: 'Paiement',
    receivedCents: 'Reçu',
    refundCents: 'Remboursé',
    refundId: 'Remboursement',
    requestedCents: 'Réclamé',
    state: 'État',
    statementId: 'Relevé bancaire',
    type: 'Type',
    userId: 'Client',
    why: 'Différence',
  },
  failures: {
    account_busy: 'Le compte du client sur le panneau est déjà en cours de création.',
    backups_in_use: 'Le serveur a plus de sauvegardes que n’en a le nouveau produit.',
    country_unknown: 'Nous ne connaissons pas le pays du client.',
    databases_in_use: 'Le serveur a plus de bases de données que n’en a le nouveau produit.',
    disk_in_use: 'Le serveur occupe plus de disque que n’en a le nouveau produit.',
    given_up: 'Un opérateur l’a annulé.',
    no_blueprint: 'Le produit n’a pas de configuration d’installation.',
    no_capacity: 'Il n’y a pas assez de place.',
    no_customer: 'Le client n’existe plus.',
    no_egg: 'L’egg du produit n’est pas sur ce panneau.',
    no_panel: 'L’egg n’est sur aucun des panneaux du produit.',
    node_deleted: 'La connexion au panneau a été supprimée.',
    not_done: 'Le panneau a confirmé le changement sans le faire.',
    ports_in_use: 'Le serveur a plus de ports que n’en a le nouveau produit.',
    server_gone: 'Le serveur n’est pas sur le panneau.',
    service_ended: 'Le service est terminé, ou sur le point de l’être.',
    tax_rate_unknown: 'Aucun taux de TVA n’est connu pour le pays du client.',
    trial_used: 'Un autre client a déjà essayé ce produit avec le même compte sur le panneau.',
    unexpected: 'Sa facture n’a pas pu être créée. Le journal en donne la raison.',
    unmanaged: 'Son serveur n’est sur aucun panneau connecté. Merci de le gérer manuellement.',
  },
}

const GOALS = {
  active: 'être remis en marche',
  suspended: 'être suspendu',
  ended: 'être arrêté',
  deleted: 'être supprimé',
} as const

const TASKS = {
  create: 'livrer',
  change: 'modifier',
  suspend: 'suspendre',
  resume: 'lever la suspension de',
  end: 'mettre fin à',
} as const

const DELIVERIES = {
  create: 'La livraison',
  change: 'La modification',
  suspend: 'La suspension',
  resume: 'La fin de la suspension',
  end: 'La fin',
} as const

const DISABLED = {
  gone: 'Il a répondu 410 Gone : il n’accepte plus d’événements.',
  failing: 'Les envois échouent depuis cinq jours.',
} as const

/** What administrators are told of their work, in French. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title: `${it.others > 0 ? `${it.name} et ${it.others === 1 ? '1 autre' : `${it.others} autres`} n’ont` : `${it.name} n’a`} pas pu être ${it.others > 0 ? 'renouvelés' : 'renouvelé'}`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `${it.name} n’a pas pu être réinstallé`,
    body: `L’installation de ${it.name} sur le panneau a échoué.`,
  }),
  upgrade_failed: (it) => ({
    title: `${it.name} n’a pas pu être modifié`,
    body: failureIn(words, it),
  }),
  task_created: (it) => ({
    title: `Nouvelle tâche : ${TASKS[it.action]} ${it.name}`,
    body: `Elle est à terminer le ${day(it.dueOn)}.`,
  }),
  delivery_failed: ({ name, action, code, detail }) =>
    code === 'unconfirmed'
      ? {
          title: `${DELIVERIES[action]} de ${name} n’a pas été confirmée`,
          body: `Votre système à l’adresse ${detail} ne l’a pas confirmée à temps. Veuillez le vérifier ; la page du service montre chaque tentative.`,
        }
      : {
          title: `${DELIVERIES[action]} de ${name} a échoué`,
          body:
            code === 'unanswered'
              ? `Votre système ne l’a pas confirmée en trois jours de tentatives. Dernier résultat : ${detail}`
              : `Réponse de votre système : ${detail}`,
        },
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
    body: `${it.email} : ${it.vatNumber}. Les prochaines factures comporteront la TVA.`,
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
      'Il ne peut plus être livré : la boutique ne le montre plus et ne le vend plus. Les services existants continuent.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `Le point de réception ${it.host} a été désactivé`,
    body: `${DISABLED[it.reason]} Les nouveaux événements sont conservés et peuvent être renvoyés.`,
  }),
  mail_server_failing: (it) => ({
    title: `Le serveur de messagerie ${it.host} n’accepte pas les e-mails`,
    body: `L’envoi des e-mails est retenté pendant plus d’une journée. Veuillez vérifier les réglages du serveur de messagerie. Sa réponse : ${it.answer}`,
  }),
  mail_text_not_used: (it) => ({
    title: 'Votre texte d’un e-mail n’a pas été utilisé',
    body: `Le texte standard a été envoyé à la place de « ${it.subject} » (${it.language}) : la variable {{${it.placeholder}}} n’a pas de valeur dans cet e-mail.`,
    action: 'Voir le texte',
  }),
  import_not_undone: ({ file, inUse }) => ({
    title: `L’import de ${file} n’a pas été retiré`,
    body: inUse
      ? 'Ses données sont désormais utilisées. La page de l’import en donne la liste.'
      : 'Toutes les tentatives de retrait ont échoué, et rien n’a été supprimé. Le journal en donne la raison. Vous pouvez réessayer.',
  }),
  warning_refused: (it) => ({
    title: `Nos avis au sujet de ${it.name} n’arrivent pas`,
    body:
      it.step === 'end'
        ? `Le client n’a pas pu être averti par e-mail que le service prend fin faute de paiement. Il prendra fin malgré tout le ${day(it.on)} au plus tôt. D’ici là, vous pouvez le joindre autrement ou renvoyer l’e-mail.`
        : `Le client n’a pas pu être averti par e-mail que le serveur sera suspendu faute de paiement. Il sera suspendu malgré tout le ${day(it.on)} au plus tôt. D’ici là, vous pouvez le joindre autrement ou renvoyer l’e-mail.`,
  }),
  failed_not_refunded: ({ count }) => ({
    title: `${count} ${plural('fr', count, 'service en échec n’est pas remboursé', 'services en échec ne sont pas remboursés')} automatiquement`,
    body: 'La limite quotidienne de remboursements automatiques est atteinte, ou un remboursement est impossible. Vérifiez que le panneau fonctionne, puis réessayez ou remboursez ces services.',
  }),
  import_reconciled: (it) => ({
    title: `Les ${it.days} premiers jours après l’import de ${it.file} sont rapprochés`,
    body:
      it.unexplained === 0
        ? `Les montants facturés aux ${it.customers} clients correspondent à l’aperçu, ou l’écart est expliqué.`
        : `Le montant facturé à ${it.unexplained} clients sur ${it.customers} diffère de l’aperçu sans raison connue. Veuillez les vérifier.`,
  }),
  bank_entries_open: (it) => ({
    title: 'Un virement avec une référence inconnue est arrivé',
    ...detailsIn(words, it),
  }),
  books_differ: (it) => ({
    title: 'Les registres d’un prestataire de paiement diffèrent des nôtres',
    ...detailsIn(words, it),
  }),
  books_not_read: (it) => ({
    title: 'Un prestataire de paiement a refusé l’accès à sa liste de paiements',
    ...detailsIn(words, it),
  }),
  change_not_credited: (it) => ({
    title: 'Un changement de formule n’a pas été crédité en totalité, car un paiement est contesté',
    ...detailsIn(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'Des frais de litige dans une autre devise n’ont pas été comptabilisés',
    ...detailsIn(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'Un événement d’un prestataire de paiement n’a pas pu être traité',
    ...detailsIn(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'Une passerelle de paiement a reçu un événement de l’autre mode',
    ...detailsIn(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'Les identifiants d’une passerelle de paiement ne sont plus acceptés',
    ...detailsIn(words, it),
  }),
  late_payment: (it) => ({
    title: 'Un paiement est arrivé pour une facture qui n’était plus ouverte',
    ...detailsIn(words, it),
  }),
  payment_disputed: (it) => ({ title: 'Un paiement est contesté', ...detailsIn(words, it) }),
  payment_mismatch: (it) => ({
    title: 'Un paiement diffère de ce qui était demandé et n’a pas été comptabilisé',
    ...detailsIn(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'Un paiement n’a pas pu être lancé',
    ...detailsIn(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'Un remboursement chez le prestataire dépasse ce qui restait au client',
    ...detailsIn(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'Un remboursement doit être versé manuellement',
    ...detailsIn(words, it),
  }),
  refund_failed: (it) => ({
    title: 'Un remboursement a échoué et a été ajouté au crédit du client',
    ...detailsIn(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'Un remboursement ne correspond pas à son paiement et n’a pas été comptabilisé',
    ...detailsIn(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'Un remboursement n’a pas pu être transmis à son prestataire',
    ...detailsIn(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'Le webhook n’a pas pu être enregistré chez un prestataire de paiement',
    ...detailsIn(words, it),
  }),
}
