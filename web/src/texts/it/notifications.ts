import type { Texts } from '../index.tsx'

export const notifications: Texts['notifications'] = {
  title: 'Notifiche',
  none: 'Ancora nessuna notifica',
  noneText: 'Qui ti informiamo su pagamenti, server e account.',
  markAll: 'Segna tutte come lette',
  settings: 'Impostazioni delle notifiche',
  unread: 'Non letta',
}
