import { isCountry } from '#lib/country.ts'
import type { Party } from './content.ts'

/** An identifier and its scheme; null if the scheme is unknown. */
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
 * around it) or its VAT number; otherwise null.
 */
export function sirenOf({
  country,
  registerNumber,
  vatNumber,
}: Pick<Party, 'registerNumber' | 'vatNumber'> & { readonly country: string | null }):
  | string
  | null {
  if (country !== 'FR') return null
  const registered = registerNumber?.replace(/[\s.]/g, '').match(/(?<!\d)(\d{9})(\d{5})?(?!\d)/)
  return registered?.[1] ?? vatNumber?.match(/^FR[0-9A-Z]{2}(\d{9})$/)?.[1] ?? null
}

/** A VAT number as an e-invoice may contain it, preceded by its country (BR-CO-09); otherwise null. */
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

/** The address of a French business on the French platforms (R7.3). */
export function frenchAddress(siren: string): Identifier {
  return { id: siren, scheme: SCHEME.frenchAddress }
}

/** The address of a business in the Peppol network, by its VAT number; null if it has none there. */
export function peppolAddress(party: Party): Identifier | null {
  const vatId = vatIdOf(party)
  const scheme = PEPPOL_SCHEMES[vatId?.slice(0, 2) ?? '']
  if (!vatId || !scheme) return null
  // Peppol has Belgian numbers as the register writes them.
  return { id: scheme === '0208' ? vatId.slice(2) : vatId, scheme }
}

/** The e-mail address of a party, if it has one. */
export function mailAddress({ email }: Party): Identifier | null {
  return email === null ? null : { id: email, scheme: SCHEME.email }
}
