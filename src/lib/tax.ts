import type { BasisPoints } from './money.ts'

/** EN 16931 categories: S taxed, AE reverse charge, O outside the scope of VAT, E exempt (R2.2). */
export type TaxCategory = 'S' | 'AE' | 'O' | 'E'

/** Whether prices are quoted before tax or with it; one mode per invoice, frozen on it (R1.6). */
export type PriceMode = 'exclusive' | 'inclusive'

/** How one line is taxed. */
export type TaxTreatment = {
  readonly category: TaxCategory
  /** Null for category O, which states no rate at all. */
  readonly rateBasisPoints: BasisPoints | null
  /** ISO 3166 code of the country whose tax this is; for AE and O the customer's. */
  readonly country: string
  /** The rate inside the seller's tax-inclusive prices; null when the seller's country has none. */
  readonly homeRateBasisPoints: BasisPoints | null
}
