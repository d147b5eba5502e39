import type { Texts } from '../index.tsx'

export const notifications: Texts['notifications'] = {
  title: 'Powiadomienia',
  none: 'Nie ma jeszcze powiadomień',
  noneText: 'Tutaj informujemy cię o płatnościach, serwerach i koncie.',
  markAll: 'Oznacz wszystkie jako przeczytane',
  settings: 'Ustawienia powiadomień',
  unread: 'Nieprzeczytane',
}
