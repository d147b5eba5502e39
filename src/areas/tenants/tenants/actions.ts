import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { asTenant, isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { findTenant, insertTenant, type TenantRow } from '../queries.ts'
import type { Brand } from '../schema.ts'
import { listDomains, lockTenant, replaceDomains, updateTenant } from './queries.ts'
import {
  assertNotOwn,
  assertReachable,
  brandWith,
  domainTaken,
  hostsIn,
  moved,
  sellerWith,
  statusOf,
  tenantView,
  urlUnder,
} from './rules.ts'
import type { NewTenant, Tenant, TenantChange } from './schema.ts'

/** Where the installation itself is reached: no tenant's own. */
type Place = { publicUrl: string }

/**
 * Makes a further tenant, whose shop is reached under host names of its own. Throws 400 for what
 * is no host name, country, currency or account, 409 for a domain somebody has.
 */
export async function createTenant(
  tx: Tx,
  { publicUrl }: Place,
  { name, domains, brand = {}, seller = {} }: NewTenant,
  now: Instant,
): Promise<Tenant> {
  const id = newId()
  const hosts = hostsIn(domains)
  assertNotOwn(hosts, publicUrl)
  const row = { id, name, isDefault: false, createdAt: now }
  const [shown, sold] = [brandWith({}, brand), sellerWith({}, seller)]
  return asTenant(tx, id, async () => {
    await insertTenant(tx, { ...row, brand: shown, seller: sold })
    await writeDomains(tx, id, hosts)
    const made = await findTenant(tx, id)
    if (!made) throw new Error('A tenant was made and is not there')
    return tenantView(made, { domains: hosts, url: urlUnder(publicUrl, hosts[0]) })
  })
}

/**
 * Changes a tenant: what is named is written over what there is. Throws 404 for an unknown one,
 * 400 and 409 as for a new one, 409 where the default tenant would not stay open, 422 where nobody
 * could reach it any more.
 */
export function changeTenant(
  tx: Tx,
  { publicUrl }: Place,
  { id, ...change }: TenantChange & { id: string },
  now: Instant,
): Promise<Tenant> {
  return asTenant(tx, id, async () => {
    const tenant = await lockTenant(tx, id)
    if (!tenant) throw notFound('Tenant')
    const domains = await domainsAfter(tx, tenant, change, publicUrl)
    const state = moved(tenant, change.status ?? statusOf(tenant), now)
    assertReachable({ isDefault: tenant.isDefault, status: statusOf(state) }, domains)
    const saved = await updateTenant(tx, id, {
      ...{ name: change.name ?? tenant.name, ...state },
      brand: brandWith(tenant.brand as Brand, change.brand ?? {}),
      seller: change.seller ? sellerWith(tenant.seller, change.seller) : tenant.seller,
    })
    const host = tenant.isDefault ? undefined : domains[0]
    return tenantView(saved, { domains, url: urlUnder(publicUrl, host) })
  })
}

async function domainsAfter(
  tx: Tx,
  { id, isDefault }: TenantRow,
  { domains }: TenantChange,
  publicUrl: string,
): Promise<string[]> {
  if (!domains) return (await listDomains(tx, [id])).get(id) ?? []
  const hosts = hostsIn(domains)
  if (!isDefault) assertNotOwn(hosts, publicUrl)
  await writeDomains(tx, id, hosts)
  return hosts
}

async function writeDomains(tx: Tx, id: string, hosts: readonly string[]): Promise<void> {
  try {
    await replaceDomains(tx, id, hosts)
  } catch (error) {
    if (!isUniqueViolation(error, 'domains_pkey')) throw error
    throw domainTaken()
  }
}
