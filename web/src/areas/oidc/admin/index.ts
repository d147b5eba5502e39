export { ClientsCard } from './clients.tsx'
