import { isCountry } from '#lib/country.ts'
import { isCurrency } from '#lib/currency.ts'
import { isIban, withoutSpaces } from '#lib/iban.ts'
import { badRequest, conflict, type Detail, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { vatNumberOf } from '#lib/vat-number.ts'
import { hostOf } from '../hosts.ts'
import type { TenantRow } from '../queries.ts'
import { type Brand, type Seller, SellerDefaults } from '../schema.ts'
import type { BrandChange, SellerChange, Tenant, TenantStatus } from './schema.ts'

const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/

/** Host names as they are stored, doubles left out. Throws 400 naming every one that is none. */
export function hostsIn(domains: readonly string[]): string[] {
  const hosts = domains.map(hostOf)
  const details = hosts.flatMap((host, index): Detail[] =>
    host === null ? [{ path: `domains.${index}`, message: 'is not a host name' }] : [],
  )
  const [first] = details
  if (first) throw badRequest(`${first.path} ${first.message}`, details)
  return [...new Set(hosts.filter((host) => host !== null))]
}

/** Throws 409: the name under which the whole installation is reached is nobody's alone. */
export function assertNotOwn(hosts: readonly string[], publicUrl: string): void {
  const own = hostOf(new URL(publicUrl).hostname)
  if (own !== null && hosts.includes(own)) throw domainTaken()
}

/** 409: a host name leads to one shop only. */
export function domainTaken() {
  return conflict('One of these domains belongs to a shop already.', 'domain_taken')
}

/** Throws 422 for a shop that nobody could reach any more. */
export function assertReachable(
  { isDefault, status }: { isDefault: boolean; status: TenantStatus },
  hosts: readonly string[],
): void {
  if (isDefault || status === 'closed' || hosts.length > 0) return
  throw unprocessable('A shop that is not closed has a domain.', 'domain_required')
}

type State = Pick<TenantRow, 'isDefault' | 'suspendedAt' | 'closedAt'>

export function statusOf({ suspendedAt, closedAt }: Omit<State, 'isDefault'>): TenantStatus {
  if (closedAt) return 'closed'
  return suspendedAt ? 'suspended' : 'active'
}

/**
 * What a tenant's row says after a move. Staying where it is changes nothing. Throws 409 for the
 * default tenant: its people run all the others.
 */
export function moved(tenant: State, to: TenantStatus, now: Instant) {
  const { suspendedAt, closedAt } = tenant
  if (to === statusOf(tenant)) return { suspendedAt, closedAt }
  if (tenant.isDefault) {
    throw conflict('The default shop is neither suspended nor closed.', 'default_tenant')
  }
  return {
    suspendedAt: to === 'suspended' ? now : null,
    closedAt: to === 'closed' ? now : null,
  }
}

/** A brand with a change written over it; null takes a part back. */
export function brandWith(brand: Brand, change: BrandChange): Brand {
  const parts = Object.entries({ ...brand, ...change }).filter(([, value]) => value !== null)
  return Object.fromEntries(parts)
}

/**
 * A seller with a change written over it, its codes as they are stored. Throws 400 for a country,
 * currency or account that does not exist, 422 for a VAT number of another country or shape (R2.3).
 */
export function sellerWith(seller: Partial<Seller>, change: SellerChange): Partial<Seller> {
  const { iban, bic, ...rest } = change
  const next = {
    ...{ ...seller, ...rest },
    ...(iban !== undefined && { iban: iban === null ? null : withoutSpaces(iban) }),
    ...(bic !== undefined && { bic: bic === null ? null : withoutSpaces(bic) }),
  }
  const { country, vatNumber } = { ...SellerDefaults, ...next }
  const faults: [boolean, string, string][] = [
    [!isCountry(country), 'country', 'is not a country'],
    [!isCurrency(next.currency ?? SellerDefaults.currency), 'currency', 'is not a currency'],
    [Boolean(next.iban) && !isIban(next.iban ?? ''), 'iban', 'has a wrong digit or letter'],
    [Boolean(next.bic) && !BIC.test(next.bic ?? ''), 'bic', 'is not a BIC'],
  ]
  const details = faults.flatMap(([wrong, field, message]) =>
    wrong ? [{ path: `seller.${field}`, message }] : [],
  )
  const [first] = details
  if (first) throw badRequest(`${first.path} ${first.message}`, details)
  return vatNumber === null ? next : { ...next, vatNumber: vatNumberOf(vatNumber, country) }
}

const NO_BRAND: Tenant['brand'] = {
  ...{ name: null, logoUrl: null, primaryColor: null, accentColor: null },
  ...{ locale: null, senderName: null, senderAddress: null, legalFooter: null },
}

/** A tenant as the platform's people see it. */
export function tenantView(
  { id, name, isDefault, brand, seller, createdAt, suspendedAt, closedAt }: TenantRow,
  { domains, url }: { domains: string[]; url: string },
): Tenant {
  return {
    ...{ id, name, isDefault, status: statusOf({ suspendedAt, closedAt }), url, domains },
    brand: { ...NO_BRAND, ...brand },
    seller: { ...SellerDefaults, name, ...seller },
    ...{ createdAt, suspendedAt, closedAt },
  }
}

/** An address of the installation, under a tenant's own host name if it has one. */
export function urlUnder(publicUrl: string, host: string | undefined): string {
  if (host === undefined) return publicUrl
  const url = new URL(publicUrl)
  url.hostname = host
  return url.href.replace(/\/+$/, '')
}
