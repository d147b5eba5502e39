import type { Texts } from '../index.tsx'

export const notifications: Texts['notifications'] = {
  title: 'Notificações',
  none: 'Ainda não há notificações',
  noneText: 'Aqui informamos sobre pagamentos, servidores e a sua conta.',
  markAll: 'Marcar tudo como lido',
  settings: 'Definições de notificações',
  unread: 'Não lida',
}
