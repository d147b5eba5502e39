import type { Texts } from '../index.tsx'

export const incidents: Texts['incidents'] = {
  incident: (title) => `Storing: ${title}`,
  maintenance: (title) => `Onderhoud: ${title}`,
  planned: (title) => `Gepland onderhoud: ${title}`,
  affected: (names, further) => `Getroffen: ${names}${further > 0 ? ` en nog ${further}` : ''}`,
  times: (from, to) => `Van ${from} tot ${to}`,
  statuses: {
    draft: 'Concept',
    investigating: 'Oorzaak wordt gezocht',
    identified: 'Oorzaak gevonden',
    monitoring: 'Verholpen, in de gaten gehouden',
    resolved: 'Opgelost',
    scheduled: 'Gepland',
    in_progress: 'Bezig',
    completed: 'Afgerond',
    canceled: 'Geannuleerd',
  },
  seeStatus: 'Statuspagina bekijken',
}
