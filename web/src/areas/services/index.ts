export { ServiceCard } from './card.tsx'
export { type ServiceStatus, ServiceTag, STATUSES, serviceTone } from './status.tsx'
