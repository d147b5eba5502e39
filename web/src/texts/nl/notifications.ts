import type { Texts } from '../index.tsx'

export const notifications: Texts['notifications'] = {
  title: 'Meldingen',
  none: 'Nog geen meldingen',
  noneText: 'Hier lees je over betalingen, servers en je account.',
  markAll: 'Alles als gelezen markeren',
  settings: 'Instellingen voor meldingen',
  unread: 'Ongelezen',
}
