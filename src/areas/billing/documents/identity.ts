import { isCountry } from '#lib/country.ts'
import type { Party } from './content.ts'

/** An identifier and the scheme it is of; null where it is of none that is known. */
export type Identifier = { readonly id: string; readonly scheme: string | null }

/** ISO 6523 codes and those of the European list of electronic addresses. */
const SCHEME = { siren: '0002', frenchAddress: '0225', email: 'EM' } as const

/** How a VAT number of each country is an address in the Peppol network. */
const PEPPOL_SCHEMES: Readonly<Record<string, string>> = {
  ...{ AT: '9914', BE: '0208', BG: '9926', CY: '9928', CZ: '9929', DE: '9930', DK: '0184' },
  ...{ EE: '9931', EL: '9933', ES: '9920', FI: '0213', FR: '9957', HR: '9934', HU: '9910' },
  ...{ IE: '9935', IT: '0211', LT: '9937', LU: '9938', LV: '9939', MT: '9943', NL: '9944' },
  ...{ PL: '9945', PT: '9946', RO: '9947', SE: '9955', SI: '9949', SK: '9950' },
}

/**
 * The SIREN of a French business, from its register number (a SIREN or SIRET, with or without words
 * around it) or its VAT number; null for everybody else.
 */
export function sirenOf({ country, registerNumber, vatNumber }: Party): string | null {
  if (country !== 'FR') return null
  const registered = registerNumber?.replace(/[\s.]/g, '').match(/(?<!\d)(\d{9})(\d{5})?(?!\d)/)
  return registered?.[1] ?? vatNumber?.match(/^FR[0-9A-Z]{2}(\d{9})$/)?.[1] ?? null
}

/** A VAT number as an e-invoice may hold it, with its country before it (BR-CO-09); else null. */
export function vatIdOf({ vatNumber }: Party): string | null {
  const prefix = vatNumber?.slice(0, 2) ?? ''
  return vatNumber && (prefix === 'EL' || prefix === 'XI' || isCountry(prefix)) ? vatNumber : null
}

/** The number of a party in its country's register (BT-30, BT-47). */
export function legalIdOf(party: Party): Identifier | null {
  const siren = sirenOf(party)
  if (siren) return { id: siren, scheme: SCHEME.siren }
  return party.registerNumber ? { id: party.registerNumber, scheme: null } : null
}

/** Where a French business is reached between the French platforms (R7.3). */
export function frenchAddress(siren: string): Identifier {
  return { id: siren, scheme: SCHEME.frenchAddress }
}

/** Where a business is reached in the Peppol network, by its VAT number; null for who is not there. */
export function peppolAddress(party: Party): Identifier | null {
  const vatId = vatIdOf(party)
  const scheme = PEPPOL_SCHEMES[vatId?.slice(0, 2) ?? '']
  if (!vatId || !scheme) return null
  // Belgian numbers stand there as the register writes them.
  return { id: scheme === '0208' ? vatId.slice(2) : vatId, scheme }
}

/** An address of e-mail, where a party has one. */
export function mailAddress({ email }: Party): Identifier | null {
  return email === null ? null : { id: email, scheme: SCHEME.email }
}
