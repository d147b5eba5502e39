import type { Area } from '#platform/area.ts'
import { CATALOGUE, PING } from './catalogue/catalogue.ts'
import { messageOf } from './catalogue/schema.ts'
import { deliverJob, findDue, forgetMessages } from './deliveries/jobs.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { endpointRoutes } from './endpoints/routes.ts'
import { sealedSecrets } from './endpoints/rules.ts'
import { measures } from './measures.ts'
import { tellEndpoints } from './messages/jobs.ts'
import { objectsAmong } from './named.ts'
import { personalData } from './personal-data.ts'
import { webhookSettings } from './settings.ts'

export const webhooks: Area = {
  name: 'webhooks',
  objectsAmong,
  routes: [endpointRoutes, deliveryRoutes],
  jobs: [tellEndpoints, deliverJob, findDue, forgetMessages],
  settings: [webhookSettings],
  sealed: sealedSecrets,
  permissions: [
    { key: 'webhooks:read', description: 'See webhook endpoints and their deliveries' },
    {
      key: 'webhooks:write',
      description: 'Add, change and test webhook endpoints, and replay deliveries',
    },
  ],
  webhooks: [...CATALOGUE, PING].map(({ type, description, data }) => ({
    ...{ type, description, body: messageOf(type, data) },
  })),
  measures,
  personalData,
  purposes: ['webhooks.messages'],
}
