import type { Texts } from '../index.tsx'

export const incidents: Texts['incidents'] = {
  incident: (title) => `Incidente: ${title}`,
  maintenance: (title) => `Manutenção: ${title}`,
  planned: (title) => `Manutenção planeada: ${title}`,
  affected: (names, further) => `Afeta: ${names}${further > 0 ? ` e mais ${further}` : ''}`,
  times: (from, to) => `De ${from} a ${to}`,
  statuses: {
    draft: 'Rascunho',
    investigating: 'À procura da causa',
    identified: 'Causa encontrada',
    monitoring: 'Corrigido, em observação',
    resolved: 'Resolvido',
    scheduled: 'Planeada',
    in_progress: 'Em curso',
    completed: 'Concluída',
    canceled: 'Cancelada',
  },
  seeStatus: 'Ver o estado',
}
