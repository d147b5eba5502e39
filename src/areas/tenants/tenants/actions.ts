import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { asTenant, isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { findTenant, insertTenant, type TenantRow } from '../queries.ts'
import type { Brand } from '../schema.ts'
import { assertStaysComplete, enteredIn, missingIn, sellerWith } from '../seller/rules.ts'
import { listDomains, listTakenHosts, lockTenant, replaceDomains, updateTenant } from './queries.ts'
import {
  assertNotOwn,
  assertOwnSender,
  assertReachable,
  brandWith,
  domainTaken,
  hostsIn,
  moved,
  statusOf,
  tenantView,
  urlUnder,
} from './rules.ts'
import type { NewTenant, SellerChange, ShopChange, Tenant, TenantChange } from './schema.ts'

/** The address of the installation itself, which belongs to no single tenant. */
type Place = { publicUrl: string }

/**
 * Creates another tenant, whose shop has its own host names. Throws 400 for a text that
 * is not a host name, country, currency or account, 409 for a domain that is taken.
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
    await insertTenant(tx, {
      ...row,
      brand: shown,
      seller: sold,
      sellerReadyAt: readyAt(sold, now),
    })
    await writeDomains(tx, id, hosts)
    const made = await findTenant(tx, id)
    if (!made) throw new Error('A tenant was made and is not there')
    return tenantView(made, { domains: hosts, url: urlUnder(publicUrl, hosts[0]) })
  })
}

/**
 * Changes a tenant: fields that are named are replaced. Throws 404 for an unknown one,
 * 400 and 409 as for a new one, 409 if the default tenant would not stay open, 422 if the shop
 * would have no address any more.
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
      proposedDomains: change.domains ? [] : tenant.proposedDomains,
      brand: brandWith(tenant.brand as Brand, change.brand ?? {}),
      ...sellerAfter(tenant, change.seller, now),
    })
    const host = tenant.isDefault ? undefined : domains[0]
    return tenantView(saved, { domains, url: urlUnder(publicUrl, host) })
  })
}

/**
 * Changes a tenant as its own staff may. A host name that is not its own yet is only proposed, and the platform
 * decides: people who use the installation under it may be another shop's customers. Throws as
 * `changeTenant`.
 */
export function changeShop(
  tx: Tx,
  { publicUrl }: Place,
  { id, domains, brand, seller }: ShopChange & { id: string },
  now: Instant,
): Promise<Tenant> {
  return asTenant(tx, id, async () => {
    const tenant = await lockTenant(tx, id)
    if (!tenant) throw notFound('Tenant')
    const own = (await listDomains(tx, [id])).get(id) ?? []
    const view = (row: TenantRow, hosts: string[]) =>
      tenantView(row, {
        domains: hosts,
        url: urlUnder(publicUrl, row.isDefault ? undefined : hosts[0]),
      })
    const { kept, proposed } = domains
      ? await proposedIn(tx, tenant, { domains, own, publicUrl })
      : { kept: own, proposed: tenant.proposedDomains }
    const { name, suspendedAt, closedAt } = tenant
    const after = {
      brand: brandWith(tenant.brand as Brand, brand ?? {}),
      ...sellerAfter(tenant, seller, now),
    }
    assertOwnSender(tenant, after, { domains: kept, publicUrl })
    const same = { name, suspendedAt, closedAt }
    const saved = await updateTenant(tx, id, { ...same, ...after, proposedDomains: proposed })
    return view(saved, kept)
  })
}

async function proposedIn(
  tx: Tx,
  { id, isDefault, ...state }: TenantRow,
  { domains, own, publicUrl }: { domains: string[]; own: string[]; publicUrl: string },
) {
  const hosts = hostsIn(domains)
  if (!isDefault) assertNotOwn(hosts, publicUrl)
  const kept = hosts.filter((host) => own.includes(host))
  const proposed = hosts.filter((host) => !own.includes(host))
  await assertFree(tx, proposed)
  assertReachable({ isDefault, status: statusOf(state) }, kept)
  if (kept.join() !== own.join()) await writeDomains(tx, id, kept)
  return { kept, proposed }
}

/** Throws 409 for a host name of another tenant, without revealing which one. */
async function assertFree(tx: Tx, hosts: readonly string[]): Promise<void> {
  const taken = await asTenant(tx, '*', () => listTakenHosts(tx, hosts))
  if (taken.length > 0) throw domainTaken()
}

/** Since when a seller is complete; null while something is missing. */
function readyAt(seller: object, now: Instant): Instant | null {
  return missingIn(enteredIn(seller)).length === 0 ? now : null
}

/** A tenant's seller after a change. Once it sells, it must stay complete: throws 422 otherwise. */
function sellerAfter(
  { seller, sellerReadyAt }: TenantRow,
  change: SellerChange | undefined,
  now: Instant,
) {
  if (!change) return { seller, sellerReadyAt }
  const next = sellerWith(seller, change)
  if (sellerReadyAt) assertStaysComplete(seller, next)
  return { seller: next, sellerReadyAt: sellerReadyAt ?? readyAt(next, now) }
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
