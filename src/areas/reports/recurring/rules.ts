import { type BasisPoints, type Cents, cents, portion } from '#lib/money.ts'
import type { RecurringChange } from '#services'

const MOVEMENTS = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const

/** Why the monthly recurring revenue of customers has changed. */
export type Movement = (typeof MOVEMENTS)[number]

type Kind = Pick<RecurringChange, 'before' | 'after' | 'ever' | 'grew'>

/**
 * The kind of a customer's change between the start and the end of a time: they came for the first time
 * or again, they pay more or less, or they left.
 */
export function movementOf({ before, after, ever, grew }: Kind): Movement {
  if (!before) return ever ? 'reactivation' : 'new'
  if (!after) return 'churn'
  return grew ? 'expansion' : 'contraction'
}

/** A part of a report in one currency: its opening, its movements, and its closing amounts. */
export type RecurringPart = {
  readonly startOn: string
  readonly currency: string
  readonly openingCents: Cents
  /** Cents by movement; contraction and churn are below 0. */
  readonly movements: Readonly<Record<Movement, Cents>>
  readonly closingCents: Cents
  readonly customersAtStart: number
  readonly customersWon: number
  readonly customersLost: number
  readonly customersAtEnd: number
}

type Opening = {
  readonly currency: string
  readonly monthlyCents: Cents
  readonly customers: number
}

/**
 * Every part of a span in every currency, in order: each begins with the closing amounts of the one before,
 * and its movements add up to the difference.
 */
export function partsFrom(
  startsOn: readonly string[],
  openings: readonly Opening[],
  changes: readonly RecurringChange[],
): RecurringPart[] {
  const currencies = new Set([...openings, ...changes].map(({ currency }) => currency))
  const byPart = Map.groupBy(changes, ({ startOn, currency }) => `${startOn} ${currency}`)
  const perCurrency = [...currencies].sort().map((currency) => {
    const opening = openings.find((it) => it.currency === currency)
    let before = {
      closingCents: opening?.monthlyCents ?? 0,
      customersAtEnd: opening?.customers ?? 0,
    }
    return startsOn.map((startOn) => {
      const part = partOf({ startOn, currency }, before, byPart.get(`${startOn} ${currency}`) ?? [])
      before = part
      return part
    })
  })
  return startsOn.flatMap((_, at) => perCurrency.flatMap((parts) => parts[at] ?? []))
}

function partOf(
  which: { startOn: string; currency: string },
  before: { closingCents: number; customersAtEnd: number },
  changes: readonly RecurringChange[],
): RecurringPart {
  const sums = { new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0 }
  let [won, lost, closing] = [0, 0, before.closingCents]
  for (const change of changes) {
    const movement = movementOf(change)
    sums[movement] += change.changeCents
    closing += change.changeCents
    if (movement === 'new' || movement === 'reactivation') won += change.customers
    if (movement === 'churn') lost += change.customers
  }
  return {
    ...which,
    openingCents: cents(before.closingCents),
    movements: {
      new: cents(sums.new),
      reactivation: cents(sums.reactivation),
      expansion: cents(sums.expansion),
      contraction: cents(sums.contraction),
      churn: cents(sums.churn),
    },
    closingCents: cents(closing),
    customersAtStart: before.customersAtEnd,
    customersWon: won,
    customersLost: lost,
    customersAtEnd: before.customersAtEnd + won - lost,
  }
}

/** A share in hundredths of a percent; null if the whole is zero. */
export function shareOf(part: number, whole: number): BasisPoints | null {
  return whole > 0 ? (portion(10_000, part, whole) as number as BasisPoints) : null
}
