export { NotificationList, newest } from './list.tsx'
