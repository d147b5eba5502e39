import type { Texts } from '../index.tsx'

export const incidents: Texts['incidents'] = {
  incident: (title) => `Disservizio: ${title}`,
  maintenance: (title) => `Manutenzione: ${title}`,
  planned: (title) => `Manutenzione programmata: ${title}`,
  affected: (names, further) => `Riguarda: ${names}${further > 0 ? ` e altri ${further}` : ''}`,
  times: (from, to) => `Inizio: ${from}, fine: ${to}`,
  statuses: {
    draft: 'Bozza',
    investigating: 'Si cerca la causa',
    identified: 'Causa trovata',
    monitoring: 'Corretto, sotto osservazione',
    resolved: 'Risolto',
    scheduled: 'In programma',
    in_progress: 'In corso',
    completed: 'Completata',
    canceled: 'Annullata',
  },
  seeStatus: 'Vedi lo stato',
}
