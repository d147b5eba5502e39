import type { Texts } from '../index.tsx'

export const incidents: Texts['incidents'] = {
  incident: (title) => `Awaria: ${title}`,
  maintenance: (title) => `Prace techniczne: ${title}`,
  planned: (title) => `Planowane prace: ${title}`,
  affected: (names, further) => `Dotyczy: ${names}${further > 0 ? ` i jeszcze ${further}` : ''}`,
  times: (from, to) => `Od ${from} do ${to}`,
  statuses: {
    draft: 'Szkic',
    investigating: 'Szukamy przyczyny',
    identified: 'Przyczyna znaleziona',
    monitoring: 'Naprawione, obserwujemy',
    resolved: 'Rozwiązane',
    scheduled: 'Zaplanowane',
    in_progress: 'W toku',
    completed: 'Zakończone',
    canceled: 'Odwołane',
  },
  seeStatus: 'Zobacz stan usług',
}
