import type { Texts } from '../index.tsx'

export const notifications: Texts['notifications'] = {
  title: 'Notificaciones',
  none: 'Aún no hay notificaciones',
  noneText: 'Aquí te informamos sobre tus pagos, tus servidores y tu cuenta.',
  markAll: 'Marcar todo como leído',
  settings: 'Ajustes de notificaciones',
  unread: 'Sin leer',
}
