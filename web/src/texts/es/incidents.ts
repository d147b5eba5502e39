import type { Texts } from '../index.tsx'

export const incidents: Texts['incidents'] = {
  incident: (title) => `Incidencia: ${title}`,
  maintenance: (title) => `Mantenimiento: ${title}`,
  planned: (title) => `Mantenimiento previsto: ${title}`,
  affected: (names, further) => `Afecta a: ${names}${further > 0 ? ` y ${further} más` : ''}`,
  times: (from, to) => `Desde el ${from} hasta el ${to}`,
  statuses: {
    draft: 'Borrador',
    investigating: 'Buscando la causa',
    identified: 'Causa encontrada',
    monitoring: 'Corregida, en observación',
    resolved: 'Resuelta',
    scheduled: 'Previsto',
    in_progress: 'En curso',
    completed: 'Terminado',
    canceled: 'Cancelado',
  },
  seeStatus: 'Ver el estado',
}
