import { affiliation } from '#affiliation'
import { audit } from '#audit'
import { billing } from '#billing'
import { bot } from '#bot'
import { desk } from '#desk'
import { imports } from '#imports'
import { incidents } from '#incidents'
import { knowledge } from '#knowledge'
import { ledger } from '#ledger'
import { notifications } from '#notifications'
import { oidc } from '#oidc'
import { orders } from '#orders'
import { panel } from '#panel'
import type { Area } from '#platform/area.ts'
import { rbac } from '#rbac'
import { reports } from '#reports'
import { services } from '#services'
import { store } from '#store'
import { storefront } from '#storefront'
import { support } from '#support'
import { system } from '#system'
import { tenants } from '#tenants'
import { users } from '#users'
import { vouchers } from '#vouchers'
import { webhooks } from '#webhooks'

/** The areas, lowest first: an area calls and references only those before it, and listens to events of these. */
export const areas: readonly Area[] = [
  ...[tenants, users, rbac, audit, notifications, panel, store, ledger, billing],
  ...[
    services,
    orders,
    vouchers,
    affiliation,
    knowledge,
    incidents,
    support,
    oidc,
    webhooks,
    bot,
    imports,
    reports,
    storefront,
    desk,
    system,
  ],
]
