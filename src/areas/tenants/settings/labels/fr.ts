import type { SettingsTexts } from './index.ts'

export const fr: SettingsTexts = {
  groups: {
    security: 'Sécurité',
    registration: 'Nouveaux comptes',
    connections: 'Discord',
    impersonation: 'Consultation en tant que client',
    limits: 'Limites contre les abus',
    audit: 'Journal d’audit',
    mail: 'E-mails',
    tax: 'TVA',
    store: 'Boutique',
    billing: 'Factures',
    services: 'Renouvellements et serveurs',
    orders: 'Commandes',
    vouchers: 'Bons cadeaux',
    affiliation: 'Affiliation',
    support: 'Tickets',
    oidc: 'Connexion à d’autres applications',
    webhooks: 'Webhooks',
    imports: 'Imports',
    accounting: 'Export comptable',
  },
  labels: {
    'security.staffSecondFactor': 'Exiger l’authentification à deux facteurs pour l’équipe',
    'security.apiKeysPerPerson': 'Clés d’API par personne',
    'registration.mode': 'Un compte peut être ouvert par',
    'registration.confirmBeforeSession': 'Confirmer l’adresse e-mail avant la première connexion',
    'connections.discordClientId': 'Identifiant client de l’application Discord',
    'connections.discordClientSecret': 'Secret client de l’application Discord',
    'impersonation.tellPerson': 'Prévenir les clients quand l’équipe consulte leur compte',
    'limits.invitationsPerService': 'Invitations par serveur et par jour',
    'limits.invitationsPerPerson': 'Invitations par personne et par jour',
    'limits.linksPerAccount': 'Liens envoyés par e-mail, par compte et par jour',
    'limits.addressChangesPerAccount': 'Changements d’adresse e-mail par compte et par jour',
    'limits.registrationsPerNetwork': 'Inscriptions par réseau et par jour',
    'limits.takenAddressesPerNetwork':
      'Tentatives d’inscription avec une adresse déjà prise, par réseau et par heure',
    'limits.accountsPerStaffMember': 'Comptes créés par membre de l’équipe et par jour',
    'limits.unconfirmedNotices': 'E-mails par jour à une adresse non confirmée',
    'audit.retentionMonths': 'Conserver le journal d’audit pendant',
    'mail.keepMailDays': 'Conserver les e-mails pendant',
    'tax.distanceThresholdPassed':
      'Plus de 10 000 € de ventes par an à des consommateurs d’autres pays de l’UE',
    'tax.locationEvidenceThresholdPassed':
      'Plus de 100 000 € de ventes par an à des consommateurs d’autres pays de l’UE',
    'tax.registrations': 'Pays où vous êtes immatriculé à la TVA',
    'tax.requireVies':
      'Accepter uniquement les numéros de TVA confirmés par le registre de l’UE (VIES)',
    'tax.viesDays': 'Avant un renouvellement, vérifier de nouveau un numéro de TVA après',
    'store.maxUnitsPerOrder': 'Nombre maximal d’articles dans un panier',
    'store.rememberTrialsMonths': 'Refuser un second essai gratuit pendant',
    'billing.invoiceSeries': 'Série de numéros des factures',
    'billing.creditNoteSeries': 'Série de numéros des avoirs',
    'billing.topUpSeries': 'Série de numéros des rechargements',
    'billing.kindSeries': 'Séries de numéros distinctes par type de facture',
    'billing.numberAt': 'Moment où les factures reçoivent leur numéro, par type',
    'billing.moreSeries': 'Autres séries de numéros au choix',
    'billing.paymentDays': 'Délai de paiement par défaut des factures',
    'billing.unpaidHours': 'Annuler une commande impayée après',
    'billing.maxUnpaidTopUpsPerDay': 'Rechargements impayés par client et par jour',
    'billing.documentYears': 'Conserver l’acheteur sur les documents des comptes supprimés pendant',
    'services.weekLeadDays': 'Avance de facturation des périodes d’une semaine',
    'services.monthLeadDays': 'Avance de facturation des périodes d’un mois',
    'services.longerLeadDays': 'Avance de facturation des périodes plus longues',
    'services.chargeDays': 'Débiter le moyen de paiement enregistré ces jours après l’échéance',
    'services.reminderDays': 'Envoyer des rappels ces jours après l’échéance',
    'services.suspendDays': 'Suspendre un serveur impayé après',
    'services.terminateDays': 'Résilier un serveur impayé après',
    'services.deleteDataDays': 'Conserver les fichiers d’un serveur résilié pendant',
    'services.unpaidRenewal': 'La facture impayée d’un serveur résilié est',
    'services.creditOnCancel': 'Créditer le temps restant quand un client résilie immédiatement',
    'services.prorationMode': 'Le temps non utilisé est calculé à la',
    'services.immediateCredit':
      'Appliquer immédiatement le passage à une offre moins chère et créditer la différence',
    'services.suspendOnDispute': 'Suspendre immédiatement un serveur dont le paiement est contesté',
    'services.refundFailed': 'Rembourser un serveur qui n’a pas pu être installé',
    'services.refundFailedAfterHours': 'Délai entre l’échec et le remboursement',
    'services.refundFailedPerDay': 'Remboursements automatiques en 24 heures, au plus',
    'orders.confirmedAddress':
      'Exiger une adresse e-mail confirmée pour les offres à l’heure, les essais et les commandes gratuites',
    'orders.hourlyNeedsMethod':
      'Exiger un moyen de paiement enregistré ou du crédit pour les offres à l’heure',
    'orders.hourlyCreditHours': 'Heures que le crédit doit couvrir à défaut de moyen de paiement',
    'orders.trialNeedsMethod': 'Exiger un moyen de paiement enregistré pour les essais',
    'orders.maxOpenServices': 'Serveurs non payés d’avance, par client',
    'orders.maxOpenOrders': 'Commandes impayées par client',
    'orders.openOrdersPerProduct': 'Commandes impayées par client et par produit',
    'orders.maxUnpaidOrdersPerDay': 'Commandes impayées par client et par jour',
    'orders.maxHeldUnits': 'Unités de stock réservées par les commandes impayées d’un client',
    'orders.holdMinutes': 'Une commande impayée réserve le stock et la capacité pendant',
    'orders.unconfirmedHoldMinutes': 'De même, avec une adresse e-mail non confirmée',
    'orders.staffOrderDays': 'Délai pour régler une commande passée par l’équipe',
    'orders.holdAgainHours': 'Après une réservation, pas de seconde pendant',
    'orders.withoutConsent': 'Une commande sans accord pour un démarrage immédiat est',
    'orders.withdrawalCountries': 'Pays hors UE où un droit de rétractation s’applique',
    'vouchers.redeemedPerDayCents': 'Bons utilisés par client et par jour, au maximum',
    'affiliation.enabled': 'Programme d’affiliation',
    'affiliation.commissionBasisPoints': 'Commission sur le montant hors taxes',
    'affiliation.payments': 'Une commission est versée pour',
    'affiliation.recurringMonths':
      'Verser une commission sur les paiements suivants pendant (0 : sans limite)',
    'affiliation.holdDays': 'La commission est utilisable après',
    'affiliation.attributionDays': 'Un clic est valable pendant',
    'affiliation.askConsent':
      'Demander l’accord des visiteurs avant d’enregistrer un clic dans un cookie',
    'affiliation.touch': 'Attribution : parmi plusieurs clics, retenir le',
    'support.enabled': 'Les clients peuvent ouvrir des tickets',
    'support.reopenDays': 'Un message rouvre un ticket fermé pendant',
    'support.autoCloseDays': 'Fermer un ticket sans nouveau message après (0 : jamais)',
    'support.autoCloseNoticeDays': 'Prévenir le client avant la fermeture (0 : sans rappel)',
    'support.showStaffNames': 'Auteur d’une réponse affiché aux clients',
    'support.maxAttachments': 'Fichiers joints à un message, au plus',
    'support.maxAttachmentBytes': 'Taille maximale d’un fichier joint',
    'support.maxMessageAttachmentBytes': 'Taille maximale des fichiers d’un message',
    'support.maxDailyAttachmentBytes':
      'Taille maximale des fichiers envoyés par une personne en 24 heures',
    'support.blockedExtensions':
      'Les fichiers joints avec ces extensions ne peuvent pas être téléchargés',
    'support.keepAttachmentMonths': 'Conserver les fichiers d’un ticket fermé pendant',
    'oidc.keyRotationDays': 'Renouveler la clé de signature après',
    'webhooks.retentionDays': 'Conserver les événements et les livraisons pendant',
    'imports.maxUploadBytes': 'Taille maximale d’un fichier',
    'accounting.fiscalYearMonth': 'Premier mois de l’exercice',
    'accounting.datevConfirmed': 'DATEV : le comptable a confirmé les comptes',
    'accounting.datevConsultant': 'DATEV : numéro du cabinet',
    'accounting.datevClient': 'DATEV : numéro du client',
    'accounting.datevChart': 'DATEV : plan comptable',
    'accounting.datevAccountLength': 'DATEV : chiffres d’un compte général',
    'accounting.datevDebtors': 'DATEV : les clients ont',
    'accounting.datevAccounts': 'DATEV : comptes',
    'accounting.datevRates': 'DATEV : comptes de ventes d’autres taux nationaux',
    'accounting.datevTaxKeys': 'DATEV : codes de TVA',
    'accounting.fecConfirmed': 'FEC : le comptable a confirmé les comptes',
    'accounting.fecAccounts': 'FEC : comptes',
  },
  options: {
    open: 'tout le monde',
    inviteOnly: 'les personnes invitées à un serveur',
    closed: 'personne',
    void: 'annulée',
    write_off: 'passée en perte',
    second: 'seconde',
    day: 'journée',
    refuse: 'refusée',
    wait: 'commencée après 14 jours',
    first: 'premier',
    last: 'dernier',
    recurring: 'chaque paiement',
    first_name: 'le prénom',
    team: 'le département',
    issue: 'à l’émission',
    payment: 'au paiement',
    checkout: 'Commandes',
    upgrade: 'Changements d’offre',
    renewal: 'Renouvellements',
    manual: 'Factures manuelles',
    skr03: 'SKR03',
    skr04: 'SKR04',
    each: 'chacun un compte',
    collective: 'un compte commun',
    domesticStandard: 'Ventes au taux national normal',
    domesticReduced: 'Ventes aux autres taux nationaux',
    reverseCharge: 'Ventes en autoliquidation',
    oneStopShop: 'Ventes taxées dans un autre pays de l’UE',
    outsideEu: 'Ventes hors UE',
    outsideEuTax: 'Taxes de pays hors UE',
    taxExempt: 'Ventes exonérées (franchise en base)',
    outOfScope: 'Ventes hors champ de la TVA',
    collectiveDebtor: 'Compte commun des clients',
    customers: 'Clients',
    sales: 'Ventes',
    vat: 'TVA française',
    vatAbroad: 'TVA d’autres pays',
    customerCredit: 'Crédit des clients',
    stripe: 'Stripe',
    mollie: 'Mollie',
    paypal: 'PayPal',
    bank_transfer: 'Virements',
    otherGateways: 'Autres moyens de paiement',
    disputedPayments: 'Paiements contestés',
    providerFees: 'Frais des prestataires de paiement',
    badDebts: 'Créances irrécouvrables',
    goodwillCredit: 'Gestes commerciaux',
    affiliateCommissions: 'Commissions d’affiliation',
    affiliateBalances: 'Dû aux affiliés',
    moneyInTransit: 'Virements internes',
    openingBalances: 'Soldes repris',
  },
  descriptions: {
    'security.staffSecondFactor':
      'L’équipe doit utiliser un second facteur ; sans lui, chaque page de l’administration est refusée.',
    'security.apiKeysPerPerson':
      'Nombre maximal de clés d’API par personne. Les clés existantes sont conservées.',
    'registration.mode': 'Tout le monde, les personnes invitées à un serveur, ou personne.',
    'registration.confirmBeforeSession':
      'L’inscription répond de la même façon pour une adresse libre et une adresse déjà prise. Un nouveau compte ne peut se connecter qu’une fois son adresse confirmée, avec le lien reçu et le mot de passe.',
    'connections.discordClientId':
      'Sans identifiant, les comptes Discord ne peuvent pas être associés.',
    'connections.discordClientSecret': 'Le secret qui va avec l’identifiant client.',
    'impersonation.tellPerson': 'La personne est prévenue dans son espace et par e-mail.',
    'limits.invitationsPerService':
      'Invitations à un même serveur en une journée, renvois compris.',
    'limits.invitationsPerPerson':
      'Invitations d’une même personne en une journée, renvois compris.',
    'limits.linksPerAccount':
      'Liens pour confirmer une adresse ou choisir un mot de passe, par compte et par jour.',
    'limits.addressChangesPerAccount':
      'Changements d’adresse qu’un compte peut demander en une journée.',
    'limits.registrationsPerNetwork':
      'Inscriptions depuis un même réseau en une journée, y compris avec une adresse déjà prise.',
    'limits.takenAddressesPerNetwork':
      'Adresses déjà prises qu’un même réseau peut essayer d’inscrire en une heure.',
    'limits.accountsPerStaffMember':
      'Comptes qu’un membre de l’équipe peut créer pour des clients en une journée.',
    'limits.unconfirmedNotices':
      'E-mails par jour qu’un compte peut faire envoyer à son adresse non confirmée.',
    'audit.retentionMonths': 'Les entrées plus anciennes sont supprimées.',
    'mail.keepMailDays': 'Les e-mails plus anciens sont supprimés.',
    'tax.distanceThresholdPassed': 'Au-delà de ce seuil, la TVA est celle du pays du consommateur.',
    'tax.locationEvidenceThresholdPassed':
      'Au-delà de ce seuil, le pays du consommateur exige deux éléments de preuve.',
    'tax.registrations': 'Pays dans lesquels vous avez votre propre numéro de TVA.',
    'tax.requireVies': 'Seuls les numéros de TVA confirmés par le registre de l’UE sont acceptés.',
    'tax.viesDays':
      'Délai après lequel le registre de l’UE est de nouveau interrogé avant un renouvellement.',
    'store.maxUnitsPerOrder': 'Somme maximale des quantités d’un panier.',
    'store.rememberTrialsMonths':
      'Durée de conservation des empreintes de l’adresse, du moyen de paiement et du compte du panel d’un essai, même après la suppression du compte.',
    'billing.invoiceSeries': 'Préfixe des numéros de facture.',
    'billing.creditNoteSeries': 'Préfixe des numéros d’avoir.',
    'billing.topUpSeries': 'Préfixe des numéros des reçus de crédit acheté.',
    'billing.kindSeries': 'Des séries distinctes pour certains types de facture.',
    'billing.numberAt':
      'À l’émission (par défaut pour les renouvellements et les factures manuelles), ou au premier paiement, la facture restant pro forma jusque-là (par défaut pour les commandes et les changements d’offre).',
    'billing.moreSeries': 'Séries supplémentaires que l’équipe peut choisir pour une facture.',
    'billing.paymentDays': 'Délai d’une facture manuelle sans échéance.',
    'billing.unpaidHours': 'Délai après lequel une commande impayée est annulée.',
    'billing.maxUnpaidTopUpsPerDay':
      'Rechargements impayés qu’un client peut commencer en 24 heures.',
    'billing.documentYears':
      'Nombre d’années, après celle de l’émission, pendant lesquelles les documents d’un compte supprimé gardent l’acheteur.',
    'services.weekLeadDays':
      'Nombre de jours entre la facture et le début d’une période d’une semaine.',
    'services.monthLeadDays':
      'Nombre de jours entre la facture et le début d’une période d’un mois.',
    'services.longerLeadDays':
      'Nombre de jours entre la facture et le début d’une période plus longue.',
    'services.chargeDays':
      'Jours après l’échéance auxquels le moyen de paiement enregistré est débité.',
    'services.reminderDays':
      'Jours après l’échéance auxquels un rappel est envoyé ; une valeur négative désigne un jour avant l’échéance.',
    'services.suspendDays': 'Délai après l’échéance avant la suspension d’un serveur impayé.',
    'services.terminateDays': 'Délai après l’échéance avant la résiliation d’un serveur impayé.',
    'services.deleteDataDays': 'Durée de conservation des données d’un serveur résilié.',
    'services.unpaidRenewal': 'Ce que devient la facture impayée d’un serveur qui prend fin.',
    'services.creditOnCancel':
      'Une résiliation immédiate donne un crédit pour le temps non utilisé.',
    'services.prorationMode': 'Le temps non utilisé est compté en secondes ou en jours UTC.',
    'services.immediateCredit':
      'Le passage à une offre moins chère prend effet immédiatement, et la différence devient un crédit.',
    'services.suspendOnDispute': 'Un serveur est suspendu dès que la banque reprend son paiement.',
    'services.refundFailed':
      'Destination de l’argent d’un service qui n’a pas pu être installé, sans intervention de l’équipe.',
    'services.refundFailedAfterHours':
      'Nombre d’heures entre l’échec et le remboursement sans intervention de l’équipe.',
    'services.refundFailedPerDay':
      'Nombre maximal de ces remboursements en 24 heures ; au-delà, l’équipe décide.',
    'orders.confirmedAddress':
      'Les offres à l’heure, les essais et les commandes gratuites exigent une adresse e-mail confirmée.',
    'orders.hourlyNeedsMethod':
      'Les offres à l’heure exigent un moyen de paiement enregistré, ou du crédit.',
    'orders.hourlyCreditHours':
      'Heures de tous les serveurs à l’heure que le crédit doit couvrir pour remplacer un moyen de paiement ; 0 : jamais.',
    'orders.trialNeedsMethod': 'Les essais exigent un moyen de paiement enregistré.',
    'orders.maxOpenServices':
      'Serveurs actifs par client qui ne sont pas payés d’avance : à l’heure, à l’essai ou gratuits.',
    'orders.maxOpenOrders': 'Commandes impayées d’un même client au même moment.',
    'orders.openOrdersPerProduct':
      'Commandes impayées d’un même client et d’un même produit au même moment.',
    'orders.maxUnpaidOrdersPerDay':
      'Commandes impayées qu’un client peut passer en 24 heures, annulées comprises.',
    'orders.maxHeldUnits':
      'Unités pour lesquelles les commandes impayées d’un client réservent du stock et de la place sur les panels. Une commande plus grande est acceptée et ne réserve rien avant son paiement.',
    'orders.holdMinutes':
      'Durée pendant laquelle une commande impayée réserve stock, capacité et codes promo.',
    'orders.unconfirmedHoldMinutes':
      'La même durée pour un client dont l’adresse e-mail n’est pas confirmée.',
    'orders.staffOrderDays':
      'Jours dont un client dispose pour régler une commande que l’équipe a passée pour lui, et pendant lesquels elle réserve le stock, la place sur les panels et les codes promo.',
    'orders.holdAgainHours':
      'Délai pendant lequel d’autres commandes impayées d’un produit ne prolongent pas la première réservation.',
    'orders.withoutConsent':
      'Commande d’un consommateur ayant un droit de rétractation qui n’a pas demandé de démarrage immédiat : refusée, ou payée maintenant et livrée après le délai de rétractation.',
    'orders.withdrawalCountries':
      'Autres pays, hors UE et EEE, dont les consommateurs peuvent se rétracter.',
    'vouchers.redeemedPerDayCents':
      'Montant qu’un client peut utiliser en 24 heures, dans chaque devise ; c’est aussi le montant maximal d’un nouveau bon.',
    'affiliation.enabled':
      'Des personnes peuvent devenir affiliées et gagner des commissions. Les commissions acquises sont conservées.',
    'affiliation.commissionBasisPoints':
      'Part du montant hors taxes payé en argent. Un produit peut avoir son propre taux.',
    'affiliation.payments': 'Le premier paiement d’un client seulement, ou les suivants aussi.',
    'affiliation.recurringMonths':
      'Mois après la première commission pendant lesquels d’autres sont acquises ; 0 : sans limite.',
    'affiliation.holdDays': 'Délai après le paiement avant qu’une commission soit disponible.',
    'affiliation.attributionDays':
      'Durée de validité d’un clic sur un lien. Un changement vaut pour les nouveaux clics.',
    'affiliation.askConsent':
      'Les pages de la boutique demandent l’accord du visiteur avant d’enregistrer un clic dans un cookie.',
    'affiliation.touch': 'Le clic retenu si une personne a suivi plusieurs liens.',
    'support.enabled': 'Un ticket déjà ouvert peut toujours être poursuivi.',
    'support.reopenDays': 'Au-delà, un message du client ouvre un nouveau ticket.',
    'support.autoCloseDays': 'Sans nouveau message, un ticket auquel l’équipe a répondu est fermé.',
    'support.autoCloseNoticeDays': 'Le client est prévenu ce nombre de jours avant la fermeture.',
    'support.showStaffNames': 'Le prénom du membre de l’équipe, ou le nom du département.',
    'support.maxAttachments': 'Nombre de fichiers qu’un message peut contenir.',
    'support.maxAttachmentBytes': 'Taille maximale d’un fichier joint, en octets.',
    'support.maxMessageAttachmentBytes':
      'Taille maximale de tous les fichiers d’un message, en octets.',
    'support.maxDailyAttachmentBytes':
      'En octets ; avec une adresse jamais confirmée, deux fichiers de la taille maximale.',
    'support.blockedExtensions': 'Extensions sans le point ; le nom du fichier reste visible.',
    'support.keepAttachmentMonths': 'Au-delà, les fichiers sont supprimés ; les messages restent.',
    'oidc.keyRotationDays':
      'Délai après lequel une nouvelle clé de signature est utilisée ; elle est publiée un jour à l’avance.',
    'webhooks.retentionDays': 'Durée de conservation des messages et de leurs livraisons.',
    'imports.maxUploadBytes': 'Taille maximale d’un fichier envoyé, en octets.',
    'accounting.fiscalYearMonth': 'Mois dont le premier jour ouvre l’exercice : 1 pour janvier.',
    'accounting.datevConfirmed':
      'Le comptable a confirmé les numéros et les comptes DATEV ; sans cela, aucun export DATEV.',
    'accounting.datevConsultant': 'Numéro du cabinet (Beraternummer), de 1001 à 9999999.',
    'accounting.datevClient': 'Numéro du client (Mandantennummer), de 1 à 99999.',
    'accounting.datevChart': 'Plan comptable, qui fixe les comptes par défaut.',
    'accounting.datevAccountLength':
      'Chiffres d’un compte général (Sachkontenlänge) ; les comptes clients en ont un de plus.',
    'accounting.datevDebtors': 'Un compte par client, ou un seul pour tous.',
    'accounting.datevAccounts': 'Comptes différents de ceux du plan comptable.',
    'accounting.datevRates': 'Comptes de ventes d’autres taux nationaux : `13=4013`.',
    'accounting.datevTaxKeys':
      'Codes de TVA (BU-Schlüssel) des comptes de ventes qui ne sont pas automatiques.',
    'accounting.fecConfirmed':
      'Le comptable a confirmé les comptes du FEC ; sans cela, aucun export FEC.',
    'accounting.fecAccounts': 'Comptes différents des comptes usuels du Plan comptable général.',
  },
}
