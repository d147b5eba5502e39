export { NotificationList } from './list.tsx'
