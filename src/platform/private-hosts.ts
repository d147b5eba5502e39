import type { Purpose } from './outbound-uses.ts'

/** Purposes whose addresses are entered by people of a tenant: an opening for these applies to one tenant. */
const OF_TENANTS = ['panel', 'webhook', 'mail'] as const
/** Purposes whose addresses only the operator sets: an opening for these applies to the installation. */
const OF_INSTALLATION = ['payment', 'vies', 'discord'] as const

export const PURPOSES = [...OF_TENANTS, ...OF_INSTALLATION] as const

/** A private address that may be called, for which purpose, and by which tenant. */
export type Opening = {
  readonly purpose: Purpose
  /** A domain of the tenant; null for the default tenant or, if the operator sets the address, for all. */
  readonly domain: string | null
  /** `host:port`, in lower case; IPv6 in brackets. */
  readonly place: string
}

const ENTRY =
  /^(?:(?:(?<domain>[^/=]+)\/)?(?<purpose>[^/=]+)=)?(?<place>(?:\[[^\]]+\]|[^:/=[\]]+):\d{1,5})$/

/**
 * Reads an entry of `MOORAGE_PRIVATE_HOSTS`: `panel=10.0.0.5:443` for the default tenant, and
 * `shop.example/panel=10.0.0.5:443` for the tenant with that domain. Without a purpose it is a panel of the
 * default tenant. Returns an error message for an invalid entry.
 */
export function openingIn(entry: string): Opening | string {
  const { domain = null, purpose = 'panel', place = '' } = ENTRY.exec(entry.trim())?.groups ?? {}
  if (place === '') {
    return `"${entry}" is not purpose=host:port, such as panel=10.0.0.5:443`
  }
  const known = PURPOSES.find((it) => it === purpose)
  if (!known) return `"${entry}": there is no purpose "${purpose}"; ${likelyOf(purpose)}`
  const forAll = OF_INSTALLATION.some((it) => it === known)
  if (forAll && domain !== null) {
    return `"${entry}": the address of ${known} is set by the operator, so it names no tenant`
  }
  const port = Number(place.slice(place.lastIndexOf(':') + 1))
  if (port < 1 || port > 65_535) return `"${entry}": there is no port ${port}`
  return { purpose: known, domain: domain?.toLowerCase() ?? null, place: place.toLowerCase() }
}

/** Whether an opening without a tenant applies to all tenants, because only the operator sets the address. */
export function isOfInstallation(purpose: Purpose): boolean {
  return OF_INSTALLATION.some((it) => it === purpose)
}

function likelyOf(purpose: string): string {
  const near = PURPOSES.find((it) => it.startsWith(purpose.slice(0, 3).toLowerCase()))
  return near ? `did you mean ${near}?` : `it is one of ${PURPOSES.join(', ')}`
}
