import type { BasisPoints } from './money.ts'

/** EN 16931 categories: S taxed, AE reverse charge, O outside the scope of VAT, E exempt (R2.2). */
export type TaxCategory = 'S' | 'AE' | 'O' | 'E'

/** Whether prices are quoted without tax or with it; one mode per invoice, frozen on it (R1.6). */
export type PriceMode = 'exclusive' | 'inclusive'

/** How one line is taxed. */
export type TaxTreatment = {
  readonly category: TaxCategory
  /** Null for category O, which has no rate at all. */
  readonly rateBasisPoints: BasisPoints | null
  /** ISO 3166 code of the country that levies the tax; for AE and O the customer's country. */
  readonly country: string
  /** The rate in the seller's tax-inclusive prices; null if the seller's country has none. */
  readonly homeRateBasisPoints: BasisPoints | null
}
