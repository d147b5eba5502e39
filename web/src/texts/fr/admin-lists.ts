import type { AdminTexts } from '../admin.tsx'

export const lists: AdminTexts['lists'] = {
  any: 'Tous',
  chosen: (label, value) => `${label} : ${value}`,
  dates: 'Dates',
  from: 'Du',
  to: 'Au',
  columns: 'Colonnes',
  csvHint: 'Les lignes et colonnes affichées',
  select: 'Sélectionner',
  selectAll: 'Tout sélectionner, jusqu’à 100 lignes affichées',
  selection: 'Sélection',
  selected: (count) => (count > 1 ? `${count} sélectionnés` : `${count} sélectionné`),
  clearSelection: 'Effacer la sélection',
  bulkTitle: (verb, count) =>
    count > 1 ? `${verb} : ${count} entrées` : `${verb} : ${count} entrée`,
  bulkRun: (verb, count) => `${verb} (${count})`,
  bulkGateway: 'Reçu par',
  bulkReference: 'Référence',
  bulkReferenceHint:
    'Par exemple le numéro du relevé bancaire. Chaque paiement y ajoute sa facture.',
  bulkCheck: 'Voir d’abord le résultat',
  bulkTrying: 'Vérification de chaque entrée. Rien n’est encore modifié.',
  bulkWould: ({ done, unchanged, failed }) =>
    `Rien n’est encore modifié. Possible : ${done}, déjà dans cet état : ${unchanged}, refusé : ${failed}.`,
  bulkDone: ({ done, unchanged, failed }) =>
    `Effectué : ${done}, déjà dans cet état : ${unchanged}, refusé : ${failed}.`,
  bulkRows: 'Résultat de chaque entrée',
  bulkObject: 'Entrée',
  bulkOutcome: 'Résultat',
  bulkWhy: 'Raison',
  wouldBe: { done: 'Possible', unchanged: 'Déjà dans cet état', failed: 'Refusé' },
  was: { done: 'Effectué', unchanged: 'Déjà dans cet état', failed: 'Refusé' },
  noMatch: 'Aucun résultat avec ces filtres',
  clearFilters: 'Effacer les filtres',
  shown: (count) => (count > 1 ? `${count} entrées` : `${count} entrée`),
  shownOfMore: (count) => `${count} affichées, et d’autres encore`,
  unsaved: 'Modifications non enregistrées',
  discard: 'Annuler les modifications',
}
