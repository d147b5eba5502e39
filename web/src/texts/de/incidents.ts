import type { Texts } from '../index.tsx'

export const incidents: Texts['incidents'] = {
  incident: (title) => `Störung: ${title}`,
  maintenance: (title) => `Wartung: ${title}`,
  planned: (title) => `Geplante Wartung: ${title}`,
  affected: (names, further) =>
    `Betroffen: ${names}${further > 0 ? ` und ${further} weitere` : ''}`,
  times: (from, to) => `Von ${from} bis ${to}`,
  statuses: {
    draft: 'Entwurf',
    investigating: 'Ursache wird gesucht',
    identified: 'Ursache gefunden',
    monitoring: 'Behoben, wird beobachtet',
    resolved: 'Behoben',
    scheduled: 'Geplant',
    in_progress: 'Läuft',
    completed: 'Abgeschlossen',
    canceled: 'Abgesagt',
  },
  seeStatus: 'Statusseite ansehen',
}
