export const notifications = {
  title: 'Notifications',
  none: 'No notifications yet',
  noneText: 'We tell you here about payments, servers and your account.',
  markAll: 'Mark all as read',
  settings: 'Notification settings',
  unread: 'Unread',
}
