import type { Texts } from '../index.tsx'

export const notifications: Texts['notifications'] = {
  title: 'Benachrichtigungen',
  none: 'Noch keine Benachrichtigungen',
  noneText: 'Hier informieren wir dich über Zahlungen, Server und dein Konto.',
  markAll: 'Alle als gelesen markieren',
  settings: 'Benachrichtigungseinstellungen',
  unread: 'Ungelesen',
}
