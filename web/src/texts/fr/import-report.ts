export const importReport = {
  resources: {
    users: 'Clients',
    categories: 'Catégories de produits',
    products: 'Produits',
    plans: 'Prix',
    optionGroups: 'Groupes d’options',
    optionLinks: 'Groupes d’options des produits',
    options: 'Options',
    optionValues: 'Valeurs d’options',
    coupons: 'Codes promo',
    taxRates: 'Taux de TVA',
    services: 'Services',
    serviceOptions: 'Options des services',
    orders: 'Commandes',
    invoices: 'Factures',
    invoiceItems: 'Lignes de facture',
    transactions: 'Paiements',
    creditBalances: 'Soldes de crédit',
    creditLedger: 'Historique des crédits',
    affiliates: 'Affiliés',
    referrals: 'Parrainages',
    commissions: 'Commissions',
    pendingCommissions: 'Commissions en attente',
    payouts: 'Versements aux affiliés',
  },
  outcomes: { merged: 'Fusionnées', skipped: 'Ignorées', failed: 'En échec' },
  rows: (ids: string, more: number) =>
    more > 0
      ? `N° ${ids} et ${more} de plus dans l’ancien système`
      : `N° ${ids} dans l’ancien système`,
  reasons: {
    invalid_email: 'L’adresse e-mail n’est pas valide : le client ne pourrait pas se connecter.',
    duplicate_email: 'Un autre client a la même adresse e-mail : les deux n’en font plus qu’un.',
    account_exists: 'Le client avait déjà un compte ici et a reçu les données importées.',
    address_not_confirmed:
      'Un compte d’ici a cette adresse e-mail sans l’avoir confirmée. Demandez au client de la confirmer, puis importez à nouveau.',
    orphan_client: 'Le client est absent de l’export.',
    client_not_imported: 'Le client n’a pas été importé.',
    no_client: 'Elle n’appartient à aucun client.',
    orphan_product: 'Le produit est absent de l’export.',
    orphan_plan: 'Le prix est absent de l’export.',
    orphan_invoice: 'La facture est absente de l’export.',
    orphan_order: 'La commande est absente de l’export.',
    orphan_service: 'Le service est absent de l’export.',
    orphan_affiliate: 'L’affilié est absent de l’export.',
    orphan_referral: 'Le parrainage est absent de l’export.',
    orphan_option: 'L’option est absente de l’export.',
    orphan_option_group: 'Le groupe d’options est absent de l’export.',
    orphan_option_value: 'La valeur de l’option est absente de l’export.',
    invoice_not_imported: 'La facture n’a pas été importée.',
    order_not_imported: 'La commande n’a pas été importée.',
    service_not_imported: 'Le service n’a pas été importé.',
    affiliate_not_imported: 'L’affilié n’a pas été importé.',
    option_not_imported: 'L’option n’a pas été importée.',
    option_without_values: 'L’option n’a aucune valeur, donc aucun prix.',
    option_of_other_product: 'L’option n’est pas proposée avec le produit du service.',
    option_not_taken: 'Le client n’a pas choisi cette option.',
    option_twice: 'Le produit a déjà une option avec cette clé.',
    unused_option_value: 'Ce type d’option n’a qu’un prix : le premier compte.',
    negative_option_price: 'Le prix de l’option est négatif. Baissez plutôt le prix de la formule.',
    too_many_options: 'Le groupe contient plus de 50 options.',
    too_many_values: 'L’option a plus de 200 valeurs.',
    duplicate_option: 'Le service a deux fois cette option.',
    duplicate_price: 'Un second prix existe pour le même élément.',
    duplicate_link: 'Le groupe est attribué deux fois au produit.',
    duplicate_cycle: 'Le produit a déjà un prix pour cet intervalle.',
    duplicate_code: 'Un autre code promo porte le même code.',
    duplicate_id: 'Une autre ligne a le même identifiant.',
    unsupported_cycle: 'Cet intervalle de facturation n’existe pas ici.',
    unsupported_pricing_type: 'Les prix des modules et des domaines ne sont pas importés.',
    unsupported_coupon_type: 'Ce type de code promo n’existe pas ici.',
    unknown_currency: 'La devise est absente de l’export.',
    unknown_currency_code: 'La devise n’est pas connue.',
    unknown_status: 'L’état n’est pas connu.',
    unknown_cycle: 'L’intervalle n’est pas connu.',
    unknown_payment_type: 'Le type de paiement n’est pas connu.',
    unknown_option_type: 'Le type d’option n’est pas connu.',
    credit_used: 'Payé avec du crédit : aucun mouvement d’argent.',
    no_money_moved: 'Aucun mouvement d’argent.',
    mass_payment_unpaid: 'Elle répète les montants d’autres factures impayées.',
    already_imported: 'Un import précédent l’a déjà créé.',
    updated: 'Mis à jour d’après cet export.',
    changed_here: 'Également modifié ici : l’état d’ici est conservé.',
    owner_changed: 'Appartient désormais à un autre client dans l’ancien système.',
    document_changed: 'Les montants d’une facture ouverte ont changé. Corrigez-la manuellement.',
    fraction_of_unit: 'Le montant a plus de décimales que sa devise.',
    price_too_high: 'Le prix est trop élevé.',
    invalid_value: 'La valeur est hors des limites autorisées.',
    invalid_amount: 'Le montant est illisible.',
    invalid_number: 'Le nombre est illisible.',
    invalid_date: 'La date est illisible.',
    empty_amount: 'Le montant manque.',
    negative_amount: 'Le montant est négatif.',
    expression: 'L’export contient une expression à la place d’une valeur.',
    unreadable_line: 'Une ligne de la facture est illisible : son total est inconnu.',
    wrong_value_count: 'La ligne n’a pas autant de valeurs que sa table a de colonnes.',
  },
  warnings: {
    total_mismatch: 'Le total de la facture n’est pas la somme de ses parties.',
    missing_invoice: 'La facture du paiement est absente de l’export.',
    credit_ledger_mismatch: 'Le crédit du client ne correspond pas à son historique.',
    credit_changed_here: 'Le crédit a été utilisé dans les deux systèmes. Vérifiez le solde.',
    commission_spent_twice:
      'L’affilié a été payé dans l’ancien système et a utilisé le même montant ici : son solde est négatif.',
    duplicate_invoice_number: 'Une autre facture porte le même numéro.',
    no_due_date: 'Le service n’a pas d’échéance et ne se renouvellera pas.',
    mass_payment: 'La facture règle plusieurs autres factures à la fois.',
    settled_with_other_amounts:
      'Les montants ont changé avant le règlement de la facture dans l’ancien système. Ici, elle est réglée avec les anciens montants.',
    renews_here: 'L’ancien système a facturé un service qui se renouvelle ici.',
    subscription_elsewhere:
      'Un abonnement auprès d’un prestataire de paiement règle encore ce service.',
    pending_order: 'Le service a été commandé mais pas livré.',
    end_wanted: 'Le client a demandé la résiliation du service.',
    missing_category: 'La catégorie du produit est absente de l’export.',
    untaxed_product: 'Le produit était vendu sans TVA.',
    options_exceed_amount:
      'Les options coûtent plus que le service entier : ici, elles ne coûtent rien.',
    option_without_effect: 'L’option ne change rien sur les serveurs.',
    effect_not_imported:
      'L’option modifiait les serveurs dans l’ancien système. Ici, elle ne change rien tant que vous n’avez pas défini son effet.',
    password_reset_required:
      'Le mot de passe est illisible. Le client en choisit un nouveau par e-mail.',
    second_factor_lost: 'Le second facteur est illisible. Le client en configure un nouveau.',
    phone_not_kept: 'Le numéro de téléphone n’est pas valide et n’a pas été repris.',
    tax_exempt: 'Le client était exonéré de TVA par une case à cocher, qui n’existe pas ici.',
    login_email_differs: 'Le client se connecte avec une autre adresse que celle de ses e-mails.',
    user_without_client: 'L’identifiant de connexion n’appartient à aucun client.',
    paid_differs: 'La somme des paiements diffère du total de la facture.',
    tax_not_stored:
      'La TVA de la facture n’était pas enregistrée : elle est calculée d’après son taux.',
    own_reward: 'L’affilié a un pourcentage particulier, qui n’a pas été importé.',
    rate_too_fine: 'Le taux de TVA a plus de décimales qu’il n’en est conservé ici.',
    nul_removed: 'Des caractères impossibles à enregistrer ont été retirés.',
  },
  todo: {
    renews_here: (count: string) =>
      `Factures de l’ancien système pour des services qui se renouvellent ici : ${count}. Passez-les en perte et cessez d’y facturer.`,
    document_changed: (count: string) =>
      `Factures ouvertes dont les montants ont changé dans l’ancien système : ${count}. Corrigez-les manuellement.`,
    no_due_date: (count: string) =>
      `Services actifs sans échéance : ${count}. Ils ne se renouvelleront pas. Fixez une date ou mettez-y fin.`,
    subscription_elsewhere: (count: string) =>
      `Services réglés par un abonnement auprès d’un prestataire de paiement : ${count}. Résiliez-y les abonnements.`,
    pending_order: (count: string) =>
      `Services commandés mais pas livrés : ${count}. Livrez-les ou annulez-les.`,
    effect_not_imported: (count: string) =>
      `Options qui modifiaient les serveurs dans l’ancien système : ${count}. Définissez leur effet avant de les vendre.`,
    mass_payment: (count: string) =>
      `Factures qui en règlent plusieurs autres : ${count}. Leurs montants comptent deux fois dans les totaux.`,
    taxRates: (count: string) =>
      `Taux de TVA importés : ${count}. Ils sont archivés. Saisissez ceux qui s’appliquent à vous.`,
    password_reset_required: (count: string) =>
      `Clients qui doivent choisir un nouveau mot de passe : ${count}. Une connexion échouée leur envoie un lien.`,
    second_factor_lost: (count: string) =>
      `Clients qui avaient un second facteur : ${count}. Ils en configurent un nouveau.`,
    untaxed_product: (count: string) =>
      `Produits vendus sans TVA : ${count}. Elle s’ajoute pour les nouveaux clients. Vérifiez leurs prix.`,
    tax_exempt: (count: string) =>
      `Clients exonérés de TVA par une case à cocher : ${count}. Ici, les règles de TVA décident. Vérifiez-les.`,
    users: () =>
      'Les clients saisissent à nouveau leurs cartes et comptes bancaires : ceux de l’ancien système sont chiffrés.',
    services: () =>
      'Les mots de passe des services sont chiffrés dans l’ancien système : les clients en choisissent de nouveaux.',
  },
  faults: {
    not_a_dump:
      'Ce n’est pas un export de base de données. Créez-en un avec mysqldump et envoyez-le.',
    unknown_system:
      'C’est un export de base de données, mais ni de WHMCS, ni de Paymenter, ni de FOSSBilling. Vérifiez que vous avez exporté la bonne base.',
    missing_tables: 'Des tables manquent dans l’export. Exportez à nouveau toute la base.',
    other_installation:
      'Cet export provient d’une autre installation que votre import précédent. Envoyez un export de la même installation. Tant que les renouvellements n’ont pas commencé, vous pouvez aussi retirer l’import précédent.',
    archive_tar:
      'C’est une archive tar. Décompressez-la et envoyez le fichier .sql qu’elle contient.',
    archive_of_parts:
      'L’archive contient un fichier par table. Créez un seul fichier avec mysqldump et envoyez-le.',
    unsupported_version:
      'Cette version du système est trop ancienne. Mettez-la à jour, puis créez un nouvel export.',
    several_systems:
      'L’export contient plusieurs systèmes. Choisissez le système d’origine lors de l’envoi, ou exportez une seule base.',
    several_databases: 'L’export contient plusieurs bases. N’en exportez qu’une.',
    truncated: 'L’export est incomplet : sa dernière ligne manque. Créez-le à nouveau.',
    row_too_long: 'Une ligne de l’export est trop longue pour être importée.',
    statement_too_long: 'Une instruction de l’export est trop longue pour être importée.',
    too_many_tables: 'L’export a trop de tables. N’exportez que la base de la boutique.',
    unsupported_sql_mode:
      'L’export a été créé avec NO_BACKSLASH_ESCAPES ou ANSI_QUOTES. Créez-le sans ces modes.',
    unsupported_charset:
      'Le jeu de caractères de l’export n’est pas accepté. Créez-le avec --default-character-set=utf8mb4.',
    unpacked_too_large: 'Le fichier décompressé est trop volumineux.',
    compression_bomb:
      'Le taux de compression du fichier est trop élevé pour un export. Envoyez le fichier .sql.',
    archive_truncated: 'L’archive est incomplète. Créez-la à nouveau.',
    archive_broken: 'L’archive est endommagée. Créez-la à nouveau.',
    archive_encrypted: 'L’archive est chiffrée. Créez-la sans mot de passe.',
    archive_path_outside:
      'L’archive contient un chemin hors de l’archive. Envoyez le fichier .sql.',
    archive_not_supported:
      'La méthode de compression de l’archive n’est pas acceptée. Utilisez gzip ou un zip ordinaire.',
    no_sql_file_in_archive: 'L’archive ne contient aucun fichier .sql.',
    file_missing: 'Le fichier envoyé n’existe plus. Envoyez-le à nouveau.',
    given_up:
      'L’import a échoué après plusieurs essais. Rien n’est perdu : envoyez le fichier à nouveau.',
  },
  nothingChanged: 'Rien n’a été modifié.',
}
