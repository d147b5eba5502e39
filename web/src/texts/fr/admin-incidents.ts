import type { incidents as english } from '../en/admin-incidents.ts'

const customers = (count: number) => (count < 2 ? `${count} client` : `${count} clients`)

export const incidents: typeof english = {
  list: 'Incidents et maintenances',
  sub: 'Ce que montre la page d’état, et ce qui est annoncé aux clients concernés.',
  add: { incident: 'Signaler un incident', maintenance: 'Planifier une maintenance' },
  addTitle: { incident: 'Signaler un incident', maintenance: 'Planifier une maintenance' },
  addDraft: 'Créer le brouillon',
  draftHint:
    'Seule l’équipe voit un brouillon. Sa page indique combien de clients sont concernés, et permet de le publier.',
  none: 'Pas encore d’incidents',
  noneText:
    'Les incidents que vous signalez et les maintenances que vous planifiez apparaissent ici.',
  show: 'Afficher',
  shows: { open: 'En cours et prévus', draft: 'Brouillons', over: 'Passés' },
  kind: 'Type',
  kinds: { incident: 'Incident', maintenance: 'Maintenance' },
  title: 'Titre',
  text: 'Texte',
  firstText: 'Premier point de situation',
  addLanguage: 'Ajouter une autre langue',
  languagesHint:
    'Une langue suffit. Les lecteurs des autres langues lisent celle de la boutique, sinon l’anglais, sinon la première. Texte simple ; une ligne vide commence un paragraphe.',
  impact: 'Conséquences',
  impactHint: 'La page d’état et son résumé les indiquent.',
  impacts: { none: 'Aucune', minor: 'Mineures', major: 'Majeures', critical: 'Critiques' },
  times: (timeZone) => `Horaires (${timeZone})`,
  begins: 'Début',
  began: 'Début',
  beganHint: 'Vide signifie maintenant.',
  ends: 'Fin prévue',
  endsBefore: 'La fin doit être après le début.',
  ended: 'Fin',
  publicTimes: (from, to) =>
    `La page d’état et les e-mails indiquent : du ${from} au ${to}. Elle commence et finit à ces heures sans autre message.`,
  maintenanceHint:
    'Elle commence et finit à ces heures sans autre message. Elle est annoncée au moins 24 heures avant son début, sauf urgence.',
  affected: 'Services concernés',
  locations: 'Emplacements',
  locationsHint: 'Les clients lisent le nom public d’un emplacement.',
  panels: 'Panneaux',
  panelsHint: 'Tous les services d’un panneau. Les clients ne lisent jamais son nom.',
  products: 'Produits',
  productsHint: 'Les clients lisent le nom d’un produit.',
  needsMore:
    'Les emplacements et les panneaux se choisissent avec l’autorisation nodes:read, les produits avec store:read.',
  archived: 'Archivé',
  publicNames: (names) =>
    names === ''
      ? 'La page d’état nomme les emplacements et produits choisis.'
      : `La page d’état nomme comme concernés : ${names}`,
  publicGameServers: 'La page d’état nomme comme concernés : Serveurs de jeu',
  publicNothing: 'Rien n’est choisi : la page d’état ne nomme rien, et aucun client n’est averti.',
  edit: 'Modifier',
  editHint:
    'Les clients voient les modifications aussitôt et n’en sont pas avertis. Seuls les clients nouvellement concernés sont avertis du premier point de situation, si les autres l’ont été.',
  save: 'Enregistrer',
  saved: 'Enregistré',
  publish: 'Publier',
  publishTitle: 'Publier avec un premier point de situation',
  publishHint:
    'Le titre et ce texte apparaissent sur la page d’état, dans son flux et dans les webhooks, et dans l’espace des clients concernés.',
  publishAsk: 'Publier ?',
  published: 'Publié',
  updateTitle: 'Rédiger un point de situation',
  updateHint:
    'Il apparaît sur la page d’état, dans son flux et dans les webhooks, et dans l’espace des clients concernés.',
  updateAsk: 'Publier ce point de situation ?',
  addUpdate: 'Publier le point de situation',
  updated: 'Le point de situation est publié',
  isPublic: 'Tout le monde peut le lire aussitôt. Il ne peut être ni modifié ni retiré.',
  isLast: 'C’est la fin : aucun autre point de situation ne pourra suivre.',
  state: 'État',
  incidentState: '« Résolu » met fin à l’incident.',
  maintenanceState:
    'Ses horaires le déterminent. « Terminée » y met fin maintenant, « Annulée » l’annule.',
  urgent: 'L’annoncer bien qu’elle commence dans moins de 24 heures',
  urgentHint: 'Sinon, modifiez ses horaires.',
  notify: 'Avertir les clients concernés',
  reaches: (count) =>
    count === 0
      ? 'Aucun client ne possède de service concerné en ce moment.'
      : `${customers(count)} ${count === 1 ? 'possède' : 'possèdent'} un service concerné en ce moment. Chacun est averti une fois : dans le produit, par e-mail et sur Discord, selon ses préférences.`,
  notNotified: 'Aucun client n’est averti.',
  notifying: (count) => `${customers(count)} déjà ${count < 2 ? 'averti' : 'avertis'}`,
  notified: (count) =>
    count === 0
      ? 'Aucun client averti'
      : `${customers(count)} ${count === 1 ? 'averti' : 'avertis'}`,
  endedMeanwhile: 'La fin a été publiée avant ce point de situation',
  endedMeanwhileText: 'Copiez le texte s’il doit servir pour un autre incident.',
  seePage: 'Voir la page',
  remove: 'Supprimer le brouillon',
  removeTitle: 'Supprimer ce brouillon ?',
  removeText: 'Les clients ne l’ont pas vu.',
  removed: 'Le brouillon est supprimé',
  updates: 'Points de situation',
  alsoIn: (languages) => `Rédigé aussi en : ${languages}`,
  details: 'Détails',
  publishedAt: 'Publié',
  customers: 'Clients concernés en ce moment',
}
