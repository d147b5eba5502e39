import type { Texts } from '../index.tsx'

export const notifications: Texts['notifications'] = {
  title: 'Notifications',
  none: 'Aucune notification pour le moment',
  noneText: 'Nous vous informons ici de vos paiements, de vos serveurs et de votre compte.',
  markAll: 'Tout marquer comme lu',
  settings: 'Préférences de notification',
  unread: 'Non lue',
}
