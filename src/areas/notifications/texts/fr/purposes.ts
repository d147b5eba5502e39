import type { Purpose } from '#platform/area.ts'
import type { purposes as first } from '../en/purposes.ts'

/** Why each area keeps what it keeps about people, in French. */
export const purposes: Readonly<Record<keyof typeof first, Purpose>> = {
  'users.profile': {
    data: 'profil, numéro de téléphone, fuseau horaire, adresse de facturation, numéro de TVA et ce qu’en dit le registre de l’UE',
    purpose: 'Avoir un compte et établir les factures',
    legalBasis: 'Contrat, art. 6(1)(b)',
    retention: "Jusqu'à la suppression du compte",
    recipients: [
      'les prestataires de paiement de cette boutique',
      'les panneaux de jeu où se trouvent vos serveurs',
      'le registre des numéros de TVA de l’UE (le numéro seul)',
    ],
  },
  'users.marketing': {
    data: 'date de votre accord pour recevoir des nouveautés et des offres',
    purpose: 'Ne vous envoyer des nouveautés et des offres que si vous le souhaitez',
    legalBasis: 'Consentement, art. 6(1)(a)',
    retention: "Jusqu'à son retrait ou à la suppression du compte",
    recipients: [],
  },
  'users.sessions': {
    data: 'sessions et clés API',
    purpose: "Savoir que c'est vous, et vous montrer où vous êtes connecté",
    legalBasis: 'Intérêt légitime à des comptes sûrs, art. 6(1)(f)',
    retention: "Sessions : 30 jours après leur fin ; clés : jusqu'à la suppression du compte",
    recipients: [],
  },
  'users.notes': {
    data: "notes de notre équipe à votre sujet, y compris celles de notre ancien système, et motif de chaque consultation de votre compte par l'équipe",
    purpose:
      'Vous aider sans vous redemander les mêmes informations, et justifier chaque consultation de votre compte',
    legalBasis: 'Intérêt légitime à une assistance efficace et traçable, art. 6(1)(f)',
    retention:
      "Notes : jusqu'à leur suppression par l'équipe ou celle du compte ; motifs : comme les sessions",
    recipients: [],
  },
  'rbac.roles': {
    data: 'rôles et groupes',
    purpose: "Permettre à l'équipe de faire son travail, et à personne d'autre",
    legalBasis: 'Intérêt légitime à une administration sûre, art. 6(1)(f)',
    retention: "Jusqu'au retrait du rôle ou à la suppression du compte",
    recipients: [],
  },
  'audit.log': {
    data: "le journal de ce que vous avez changé et de ce que l'équipe a consulté",
    purpose: 'Établir qui a fait quoi en cas de problème',
    legalBasis: 'Intérêt légitime à la sécurité, art. 6(1)(f)',
    retention:
      'Aussi longtemps que cette boutique garde son journal, 60 mois par défaut ; adresses IP 12 mois',
    recipients: [],
  },
  'notifications.messages': {
    data: 'notifications, et e-mails par leur objet',
    purpose: 'Vous dire ce que vous devez savoir de votre compte et de vos services',
    legalBasis: 'Contrat, art. 6(1)(b)',
    retention: "Jusqu'à la suppression du compte",
    recipients: ['le serveur de messagerie de cette boutique'],
  },
  'store.cart': {
    data: 'le panier',
    purpose: 'Vous vendre ce que vous y mettez',
    legalBasis: 'Mesures précontractuelles, art. 6(1)(b)',
    retention: "Jusqu'à ce qu'il soit acheté ou vidé, ou que le compte soit supprimé",
    recipients: [],
  },
  'store.offers': {
    data: 'codes promotionnels et essais que vous avez utilisés',
    purpose: "Ne donner qu'une fois ce que chacun reçoit une fois",
    legalBasis: 'Intérêt légitime, art. 6(1)(f)',
    retention: 'Sans limite ; après la suppression, sans votre nom',
    recipients: [],
  },
  'store.trials': {
    data: "empreintes à clé de l'adresse, des moyens de paiement et des comptes de panneau avec lesquels vous avez essayé un produit",
    purpose:
      "N'accorder qu'un essai d'un produit par personne, même après la suppression d'un compte",
    legalBasis: 'Intérêt légitime à prévenir les abus, art. 6(1)(f)',
    retention:
      "Aussi longtemps que cette boutique l'a fixé, 24 mois par défaut, à compter de l'essai",
    recipients: [],
  },
  'ledger.credit': {
    data: 'votre crédit et ses mouvements',
    purpose: 'Tenir la comptabilité',
    legalBasis: 'Contrat et obligation légale, art. 6(1)(b) et (c)',
    retention:
      'Aussi longtemps que la comptabilité est gardée ; après la suppression, sans votre nom',
    recipients: ['administration fiscale et auditeurs'],
  },
  'billing.documents': {
    data: 'factures et avoirs avec votre nom, votre adresse et votre numéro de TVA, paiements, remboursements',
    purpose: "Facturer, être payé et le prouver à l'administration fiscale",
    legalBasis: 'Contrat et obligation légale, art. 6(1)(b) et (c)',
    retention: "Jusqu'au 31 décembre de la dixième année qui suit celle de l'émission",
    recipients: [
      'les prestataires de paiement de cette boutique',
      'administration fiscale et auditeurs',
    ],
  },
  'billing.transfers': {
    data: 'virements bancaires : nom et compte du payeur, et ce qu’il a écrit',
    purpose: 'Savoir à quoi correspond l’argent reçu',
    legalBasis: 'Contrat, art. 6(1)(b)',
    retention:
      'Jusqu’à la suppression du compte ; 400 jours pour ceux que personne n’a pu attribuer',
    recipients: [],
  },
  'billing.methods': {
    data: 'moyens de paiement enregistrés : type et derniers chiffres',
    purpose: 'Payer sans tout saisir de nouveau, et renouveler',
    legalBasis: 'Contrat, art. 6(1)(b)',
    retention: "Jusqu'à ce que vous les retiriez ou que le compte soit supprimé",
    recipients: ['le prestataire de paiement qui garde le moyen de paiement'],
  },
  'services.services': {
    data: 'services, les vôtres et ceux partagés avec vous, avec les valeurs choisies ; vos comptes sur les panneaux de jeu',
    purpose: 'Fournir ce que vous avez commandé',
    legalBasis: 'Contrat, art. 6(1)(b)',
    retention:
      "Jusqu'à la suppression du compte ; ce à quoi la comptabilité renvoie reste sans vos mots",
    recipients: [
      'les panneaux de jeu où se trouvent vos serveurs',
      'les systèmes de cette boutique qui livrent vos services',
    ],
  },
  'services.activity': {
    data: 'ce qui a été fait sur vos serveurs, et par vous sur ceux qui sont partagés avec vous, avec l’adresse d’origine',
    purpose: 'Vous montrer qui a fait quoi, et repérer les abus',
    legalBasis: 'Intérêt légitime, art. 6(1)(f)',
    retention: 'Trente jours, ou jusqu’à la suppression du compte',
    recipients: ['les panneaux de jeu où se trouvent vos serveurs'],
  },
  'orders.orders': {
    data: 'commandes, votre souhait que le service commence tout de suite et votre note pour la boutique',
    purpose: 'Exécuter ce que vous avez commandé, et le prouver',
    legalBasis: 'Contrat et obligation légale, art. 6(1)(b) et (c)',
    retention: 'Avec la facture correspondante ; après la suppression, sans votre nom',
    recipients: [],
  },
  'vouchers.redemptions': {
    data: 'les bons que vous avez utilisés et les dates auxquelles vous avez saisi un code erroné',
    purpose: 'Vous créditer le montant des bons et empêcher de deviner des codes',
    legalBasis: 'Contrat et intérêt légitime, art. 6, par. 1, b) et f)',
    retention:
      'Les bons utilisés aussi longtemps que la comptabilité, sans votre nom après la suppression du compte ; les codes erronés un jour',
    recipients: [],
  },
  'affiliation.commissions': {
    data: 'votre code, qui vous avez amené, ce que vous avez gagné ; si quelqu’un vous a amené',
    purpose: 'Donner leur part à ceux qui amènent des clients, et reconnaître qui se paie soi-même',
    legalBasis: 'Contrat et intérêt légitime, art. 6(1)(b) et (f)',
    retention:
      'Aussi longtemps que la comptabilité est conservée ; après suppression, sans votre nom',
    recipients: [],
  },
  'knowledge.feedback': {
    data: 'si les articles d’aide vous ont été utiles',
    purpose: 'Améliorer les articles d’aide',
    legalBasis: 'Intérêt légitime à une aide compréhensible, art. 6(1)(f)',
    retention: 'Jusqu’à la suppression du compte ; ensuite, sans votre nom',
    recipients: [],
  },
  'incidents.notices': {
    data: 'les incidents qui ont touché vos services, et quand nous vous en avons informé',
    purpose: 'Vous informer une fois de chaque incident qui vous touche',
    legalBasis: 'Contrat, art. 6(1)(b)',
    retention: 'Jusqu’à la suppression du compte',
    recipients: [],
  },
  'support.tickets': {
    data: 'vos tickets, leurs messages et leurs fichiers, avec le service ou la facture concernés',
    purpose: 'Répondre à vos questions et résoudre les problèmes de vos services',
    legalBasis: 'Contrat, art. 6(1)(b)',
    retention: 'Jusqu’à la suppression du compte ; les dates restent, sans aucun texte',
    recipients: [],
  },
  'support.saved-replies': {
    data: 'les réponses que vous avez enregistrées pour répondre aux clients',
    purpose: 'Vous proposer de nouveau ces textes',
    legalBasis: 'Intérêt légitime à un travail efficace, art. 6(1)(f)',
    retention: 'Jusqu’à la suppression du compte ; les réponses partagées restent, sans votre nom',
    recipients: [],
  },
  'oidc.applications': {
    data: 'les applications auxquelles vous vous êtes connecté avec ce compte',
    purpose: "Dire à ces applications qui vous êtes, comme vous l'avez autorisé",
    legalBasis: 'Consentement, art. 6(1)(a)',
    retention: "Jusqu'à la fin ou au retrait du consentement",
    recipients: ['les applications que vous avez autorisées'],
  },
  'webhooks.messages': {
    data: 'ce qui est arrivé à votre compte, vos commandes, factures et services, avec votre identifiant et sans votre nom',
    purpose: 'Tenir à jour les autres systèmes de cette boutique',
    legalBasis: 'Intérêt légitime, art. 6(1)(f)',
    retention: 'Trente jours, ou la durée que cette boutique a choisie',
    recipients: ['les systèmes que cette boutique a reliés'],
  },
  'bot.roles': {
    data: 'les rôles que votre compte Discord associé a pour ce que vous avez ici',
    purpose: 'Vous donner ces rôles sur les serveurs Discord de cette boutique, et les retirer',
    legalBasis: 'Contrat, art. 6(1)(b)',
    retention:
      'Jusqu’à ce que vous retiriez l’association ou que le compte soit supprimé ; ce que les bots ont à retirer, trente jours de plus',
    recipients: ['Discord'],
  },
  'desk.views': {
    data: 'les vues des listes de l’administration que vous avez enregistrées',
    purpose: 'Vous montrer de nouveau ces listes telles que vous les aviez laissées',
    legalBasis: 'Intérêt légitime à un travail efficace, art. 6(1)(f)',
    retention: 'Jusqu’à ce que vous supprimiez la vue ou que le compte soit supprimé',
    recipients: [],
  },
  'desk.presence': {
    data: 'les pages de l’administration que vous avez ouvertes en ce moment, et si vous y rédigez une réponse',
    purpose: 'Montrer aux autres membres de l’équipe qui travaille sur le même dossier',
    legalBasis: 'Intérêt légitime à un travail efficace, art. 6(1)(f)',
    retention:
      'Une minute après que vous avez quitté la page ; supprimées quelques minutes plus tard',
    recipients: [],
  },
}
