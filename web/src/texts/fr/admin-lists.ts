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
  selection: 'Sélection',
  selected: (count) => (count > 1 ? `${count} sélectionnés` : `${count} sélectionné`),
  clearSelection: 'Effacer la sélection',
  noMatch: 'Aucun résultat avec ces filtres',
  clearFilters: 'Effacer les filtres',
  shown: (count) => (count > 1 ? `${count} entrées` : `${count} entrée`),
  shownOfMore: (count) => `${count} affichées, et d’autres encore`,
  unsaved: 'Modifications non enregistrées',
  discard: 'Annuler les modifications',
}
