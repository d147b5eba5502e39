import type { PriceMode } from '#lib/tax.ts'
import type { TaxReason } from '../tax-rates/decision.ts'
import type { OrderLine } from './lines.ts'
import type { Pricing } from './rules.ts'

/** A priced order with what an invoice needs in addition to its amounts, which are in cents. */
export type PricedDocument<L extends OrderLine = OrderLine> = Pricing<L> & {
  readonly currency: string
  readonly priceMode: PriceMode
  /** The customer's country according to the tax decision: ISO 3166 code. */
  readonly taxCountry: string
  /** Which row of the decision table applied (R2.2); the same for all lines of one customer. */
  readonly taxReason: TaxReason
}
