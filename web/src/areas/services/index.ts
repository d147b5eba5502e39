export { ServiceCard } from './card.tsx'
export { service } from './reads.ts'
export { type ServiceStatus, ServiceTag, STATUSES, serviceTone } from './status.tsx'
