import type { components } from '@moorage/client'
import { useTexts } from '../../texts/index.tsx'
import { useFormats } from '../../ui/index.ts'
import { perPeriod } from './period.ts'
import type { Service } from './reads.ts'

type Price = components['schemas']['CustomerPrice']

/**
 * How prices are written: the amount that the customer pays, with a note if it includes VAT. Customers who are
 * not charged VAT, such as businesses with reverse charge, pay and see the net amount.
 */
export function usePrices() {
  const { services } = useTexts()
  const { money } = useFormats()
  return {
    money,
    noteOf: ({ taxCents }: Pick<Price, 'taxCents'>) => (taxCents > 0 ? services.taxIncluded : null),
  }
}

type AmountProps = {
  readonly price: Pick<Price, 'taxCents'>
  readonly cents: number
  readonly currency: string
}

/** An amount in a list, with the note below. */
export function Amount({ price, cents, currency }: AmountProps) {
  const { money, noteOf } = usePrices()
  const note = noteOf(price)
  return (
    <span className="num right-text">
      <span className="strong">{money(cents, currency)}</span>
      {note ? <span className="sub block">{note}</span> : null}
    </span>
  )
}

/** What a period of a service costs its customer; renders nothing if that is unknown. */
export function PeriodPrice({ service: { plan, prices } }: { service: Service }) {
  const texts = useTexts()
  const { money, noteOf } = usePrices()
  if (!prices) return null
  return (
    <div className="row between">
      <span className="fig">{money(prices.totalCents, plan.currency)}</span>
      <span className="sub">
        {[perPeriod(plan, texts), noteOf(prices)].filter(Boolean).join(', ')}
      </span>
    </div>
  )
}

/** The row of facts about the next invoice, if there will be one. */
export function useNextInvoice({ prices, currency }: Service) {
  const { services } = useTexts()
  const { money, noteOf } = usePrices()
  if (!prices || prices.nextTotalCents === null) return []
  const amount = money(prices.nextTotalCents, currency)
  const text = [amount, noteOf(prices)].filter(Boolean).join(' ')
  return [[services.nextInvoice, text] as const]
}
