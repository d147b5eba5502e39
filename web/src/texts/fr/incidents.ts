import type { Texts } from '../index.tsx'

export const incidents: Texts['incidents'] = {
  incident: (title) => `Incident : ${title}`,
  maintenance: (title) => `Maintenance : ${title}`,
  planned: (title) => `Maintenance prévue : ${title}`,
  affected: (names, further) => `Concerne : ${names}${further > 0 ? ` et ${further} de plus` : ''}`,
  times: (from, to) => `Du ${from} au ${to}`,
  statuses: {
    draft: 'Brouillon',
    investigating: 'Recherche de la cause',
    identified: 'Cause trouvée',
    monitoring: 'Corrigé, sous surveillance',
    resolved: 'Résolu',
    scheduled: 'Prévue',
    in_progress: 'En cours',
    completed: 'Terminée',
    canceled: 'Annulée',
  },
  seeStatus: 'Voir l’état des services',
}
