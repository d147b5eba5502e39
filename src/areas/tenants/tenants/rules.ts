import { badRequest, conflict, type Detail, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { hostOf } from '../hosts.ts'
import type { TenantRow } from '../queries.ts'
import type { Brand } from '../schema.ts'
import { enteredIn } from '../seller/rules.ts'
import type { BrandChange, Tenant, TenantStatus } from './schema.ts'

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

type Sender = { readonly brand: object; readonly seller: object }

/** The address a shop's mails come from, where it entered one. */
function senderIn({ brand, seller }: Sender): string | null {
  return (brand as Brand).senderAddress ?? enteredIn(seller).email
}

/**
 * Throws 422 when the staff of a tenant would send mails from an address of somebody else: one that is
 * neither under a domain of the shop nor under one that such a domain is part of, or that is the
 * installation's. The default tenant's staff run the mail server.
 */
export function assertOwnSender(
  before: Sender & Pick<TenantRow, 'isDefault'>,
  after: Sender,
  { domains, publicUrl }: { domains: readonly string[]; publicUrl: string },
): void {
  const sender = senderIn(after)
  if (before.isDefault || sender === null || sender === senderIn(before)) return
  const host = hostOf(sender.slice(sender.lastIndexOf('@') + 1)) ?? ''
  const installation = new URL(publicUrl).hostname
  const isUnder = (one: string, other: string) => one === other || one.endsWith(`.${other}`)
  const isOwn = domains.some(
    (domain) =>
      isUnder(host, domain) ||
      (host.includes('.') && isUnder(domain, host) && !isUnder(installation, host)),
  )
  if (isOwn) return
  const message =
    'Mails of this shop cannot come from this address. Set `brand.senderAddress` to an address of one ' +
    'of its domains, or ask the platform.'
  const path = (after.brand as Brand).senderAddress ? 'brand.senderAddress' : 'seller.email'
  throw unprocessable(message, 'sender_not_own', [{ path, message }])
}

/** Throws 422 for a shop that nobody could reach any more. */
export function assertReachable(
  { isDefault, status }: { isDefault: boolean; status: TenantStatus },
  hosts: readonly string[],
): void {
  if (isDefault || status === 'closed' || hosts.length > 0) return
  throw unprocessable('A shop needs a domain, unless it is closed.', 'domain_required')
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

const NO_BRAND: Tenant['brand'] = {
  ...{ name: null, logoUrl: null, primaryColor: null, accentColor: null },
  ...{ locale: null, senderName: null, senderAddress: null, legalFooter: null },
}

/** A tenant as the platform's people see it. */
export function tenantView(
  { id, name, isDefault, brand, seller, sellerReadyAt, proposedDomains, ...times }: TenantRow,
  { domains, url }: { domains: string[]; url: string },
): Tenant {
  const { createdAt, suspendedAt, closedAt } = times
  return {
    ...{
      id,
      name,
      isDefault,
      status: statusOf({ suspendedAt, closedAt }),
      url,
      domains,
      proposedDomains,
    },
    brand: { ...NO_BRAND, ...brand },
    seller: enteredIn(seller),
    sellerReadyAt,
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
