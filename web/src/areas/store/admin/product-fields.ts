import { orNull } from '../../../api/forms.ts'
import type { Product } from './reads.ts'

const MB = 1024
const CORE = 100

export const DELIVERIES = ['server', 'manual', 'webhook', 'none'] as const
export const BADGES = ['popular', 'new', 'recommended'] as const
export const PERIOD_STARTS = ['payment', 'delivery'] as const
export const TASK_ACTIONS = ['change', 'suspend', 'end'] as const

/** A product as its form shows it: sizes in GB and cores. */
export function fieldsOf(product: Product) {
  const { provisioning } = product
  const { limits, featureLimits, choices } = provisioning ?? {}
  return {
    name: product.name,
    slug: product.slug,
    description: product.description ?? '',
    categoryId: product.categoryId ?? '',
    taxRateId: product.taxRateId ?? '',
    stock: product.stock,
    isVisible: !product.hidden,
    upgradeTargetIds: product.upgradeTargetIds as readonly string[],
    translations: product.translations,
    badge: product.badge ?? '',
    delivery: product.delivery,
    instructions: product.instructions ?? '',
    promiseHours: product.promiseHours,
    periodStarts: product.periodStarts,
    taskActions: product.taskActions as readonly (typeof TASK_ACTIONS)[number][],
    url: product.webhook?.url ?? '',
    includeCustomer: product.webhook?.includeCustomer ?? false,
    confirmHours: product.webhook?.confirmHours ?? 24,
    eggId: provisioning?.eggId ?? '',
    nodeIds: (provisioning?.nodeIds ?? []) as readonly string[],
    locations: product.locations as readonly string[],
    locationIds: (provisioning?.locationIds ?? []).join(' '),
    memoryMb: (limits?.memoryMb ?? 4 * MB) / MB,
    cpuPercent: (limits?.cpuPercent ?? 2 * CORE) / CORE,
    diskMb: (limits?.diskMb ?? 20 * MB) / MB,
    swapMb: limits?.swapMb ?? 0,
    io: limits?.io ?? 500,
    databases: featureLimits?.databases ?? 1,
    backups: featureLimits?.backups ?? 2,
    allocations: featureLimits?.allocations ?? 0,
    environment: provisioning?.environment ?? {},
    lockedVariables: (choices?.lockedVariables ?? []) as readonly string[],
    dockerImage: choices?.dockerImage ?? false,
    startup: choices?.startup ?? false,
  }
}

export type ProductFields = ReturnType<typeof fieldsOf>

function webhookOf({ url, includeCustomer, confirmHours }: ProductFields) {
  return url.trim() ? { url: url.trim(), includeCustomer, confirmHours } : null
}

export function bodyOf(fields: ProductFields) {
  const filled = Object.entries(fields.environment).filter(([, value]) => value !== '')
  return {
    ...{ name: fields.name.trim(), slug: fields.slug.trim(), hidden: !fields.isVisible },
    description: orNull(fields.description),
    ...{
      translations: fields.translations,
      badge: BADGES.find((it) => it === fields.badge) ?? null,
    },
    ...{ categoryId: fields.categoryId || null, taxRateId: fields.taxRateId || null },
    ...{ stock: fields.stock, upgradeTargetIds: [...fields.upgradeTargetIds] },
    ...{ delivery: fields.delivery, periodStarts: fields.periodStarts },
    instructions: orNull(fields.instructions),
    ...{ promiseHours: fields.promiseHours, taskActions: [...fields.taskActions] },
    ...(fields.delivery === 'webhook' && { webhook: webhookOf(fields) }),
    locations: fields.delivery === 'server' ? [...fields.locations] : [],
    provisioning:
      fields.delivery === 'server' && fields.eggId
        ? {
            eggId: fields.eggId,
            nodeIds: [...fields.nodeIds],
            locationIds: fields.locationIds.split(/[\s,]+/).filter(Boolean),
            limits: {
              memoryMb: Math.round(fields.memoryMb * MB),
              cpuPercent: Math.round(fields.cpuPercent * CORE),
              diskMb: Math.round(fields.diskMb * MB),
              ...{ swapMb: fields.swapMb, io: fields.io },
            },
            featureLimits: {
              ...{ databases: fields.databases, backups: fields.backups },
              allocations: fields.allocations,
            },
            environment: Object.fromEntries(filled),
            choices: {
              lockedVariables: [...fields.lockedVariables],
              ...{ dockerImage: fields.dockerImage, startup: fields.startup },
            },
          }
        : null,
  }
}
