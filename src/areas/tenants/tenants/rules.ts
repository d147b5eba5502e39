import { badRequest, conflict, type Detail, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { hostOf } from '../hosts.ts'
import type { TenantRow } from '../queries.ts'
import { type Brand, pictureUrl } from '../schema.ts'
import { enteredIn } from '../seller/rules.ts'
import type { BrandChange, Tenant, TenantStatus } from './schema.ts'

/** Host names as they are stored, without duplicates. Throws 400 with every text that is not one. */
export function hostsIn(domains: readonly string[]): string[] {
  const hosts = domains.map(hostOf)
  const details = hosts.flatMap((host, index): Detail[] =>
    host === null ? [{ path: `domains.${index}`, message: 'is not a host name' }] : [],
  )
  const [first] = details
  if (first) throw badRequest(`${first.path} ${first.message}`, details)
  return [...new Set(hosts.filter((host) => host !== null))]
}

/** Throws 409 for the host name of the whole installation: no single tenant can have it. */
export function assertNotOwn(hosts: readonly string[], publicUrl: string): void {
  const own = hostOf(new URL(publicUrl).hostname)
  if (own !== null && hosts.includes(own)) throw domainTaken()
}

/** 409: a host name can belong to one shop only. */
export function domainTaken() {
  return conflict('One of these domains belongs to a shop already.', 'domain_taken')
}

type Sender = { readonly brand: object; readonly seller: object }

/** The sender address of a shop's mails, if it entered one. */
function senderIn({ brand, seller }: Sender): string | null {
  return (brand as Brand).senderAddress ?? enteredIn(seller).email
}

/**
 * Throws 422 if the staff of a tenant would send mails from an address that is not theirs: one that is
 * neither under a domain of the shop nor under a parent of such a domain, or that is the
 * installation's. The default tenant is exempt: its staff run the mail server.
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

/** Throws 422 for a shop that would have no address any more. */
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
 * The dates of a tenant's row after a change of status. The same status changes nothing. Throws 409 for the
 * default tenant: its staff run all the others.
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

/** A brand after a change; null removes a part. */
export function brandWith(brand: Brand, change: BrandChange): Brand {
  const parts = Object.entries({ ...brand, ...change }).filter(([, value]) => value !== null)
  return Object.fromEntries(parts)
}

const NO_BRAND: Tenant['brand'] = {
  ...{ name: null, logoUrl: null, primaryColor: null, accentColor: null },
  ...{ locale: null, senderName: null, senderAddress: null, legalFooter: null },
  ...{ supportAddress: null, footerLinks: null, socialLinks: null },
}

/** A tenant as the platform's staff see it. */
export function tenantView(
  { id, name, isDefault, brand, seller, sellerReadyAt, proposedDomains, ...times }: TenantRow,
  { domains, url }: { domains: string[]; url: string },
): Tenant {
  const { createdAt, suspendedAt, closedAt, logoSha256, darkLogoSha256, faviconSha256 } = times
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
    pictures: {
      logoUrl: pictureUrl(logoSha256?.toString('hex'), ''),
      darkLogoUrl: pictureUrl(darkLogoSha256?.toString('hex'), ''),
      faviconUrl: pictureUrl(faviconSha256?.toString('hex'), ''),
    },
    seller: enteredIn(seller),
    sellerReadyAt,
    ...{ createdAt, suspendedAt, closedAt },
  }
}

/** The installation's URL, with a tenant's own host name if it has one. */
export function urlUnder(publicUrl: string, host: string | undefined): string {
  if (host === undefined) return publicUrl
  const url = new URL(publicUrl)
  url.hostname = host
  return url.href.replace(/\/+$/, '')
}
