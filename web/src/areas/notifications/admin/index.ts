export { MailServerCards } from './mail-server.tsx'
