import type { AdminTexts } from '../admin.tsx'

export const views: AdminTexts['views'] = {
  none: 'Aucune vue enregistrée de cette liste',
  save: 'Enregistrer cette vue',
  saveText: 'Les filtres, l’ordre et les colonnes de cette liste sont enregistrés sous un nom.',
  name: 'Nom',
  share: 'Partager avec l’équipe',
  shareText:
    'Toute personne qui peut lire cette liste peut ouvrir la vue ; vous seul pouvez la modifier.',
  replace: 'Remplacer ses filtres et ses colonnes par ce que la liste affiche maintenant',
  saved: 'Vue enregistrée',
  by: (name) => `Partagée par ${name}`,
  manage: 'Gérer mes vues',
  manageTitle: 'Mes vues de cette liste',
  sharing: 'Partage',
  shared: 'Partagée',
  remove: 'Supprimer',
  removeTitle: (name) => `Supprimer la vue « ${name} » ?`,
  removeText: 'La liste elle-même ne change pas.',
  removeShared: 'L’équipe la perd aussi. La liste elle-même ne change pas.',
  removed: 'Vue supprimée',
  here: (names) => `Aussi sur cette page : ${names}`,
  writing: (names) => `Rédaction d’une réponse en cours : ${names}`,
  more: (count) => (count === 1 ? '1 autre' : `${count} autres`),
  news: (count, isAtLeast) =>
    count === 1
      ? '1 nouveauté – afficher'
      : `${count}${isAtLeast ? '+' : ''} nouveautés – afficher`,
  changed: 'La liste a changé – actualiser',
}
