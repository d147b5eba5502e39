import { detail, type Problem, unprocessable } from '#lib/problem.ts'
import type { Shelf } from './queries.ts'

/** A quantity of a product, or of a value of the option with this key. */
export type StockItem =
  | { readonly productId: string; readonly quantity: number }
  | { readonly valueId: string; readonly key: string; readonly quantity: number }

/** A quantity of one thing, and the key of the option that it is a value of. */
export type Wanted = {
  readonly shelf: Shelf
  readonly id: string
  readonly key: string | null
  readonly quantity: number
}

/** 422: not enough stock is left; for a value, with the path of the option with this key. */
export function outOfStock(key: string | null = null): Problem {
  const details =
    key === null
      ? []
      : [{ ...detail(`options.${key}`, { kind: 'not_offered' }), code: 'out_of_stock' }]
  return unprocessable('There is not enough of this left.', 'out_of_stock', details)
}

/** Quantities added up, in the order in which every transaction locks them: products by their ids, then values. */
export function added(items: readonly StockItem[]): Wanted[] {
  const wanted = items.map((it): Wanted => {
    const { quantity } = it
    return 'productId' in it
      ? { shelf: 'product', id: it.productId, key: null, quantity }
      : { shelf: 'value', id: it.valueId, key: it.key, quantity }
  })
  return [...Map.groupBy(wanted, ({ id }) => id).values()]
    .flatMap(([first, ...rest]) =>
      first
        ? [{ ...first, quantity: rest.reduce((sum, it) => sum + it.quantity, first.quantity) }]
        : [],
    )
    .sort(inLockOrder)
}

/** Products before values, each by their ids. */
export function inLockOrder(
  a: Pick<Wanted, 'shelf' | 'id'>,
  b: Pick<Wanted, 'shelf' | 'id'>,
): number {
  return `${a.shelf} ${a.id}` < `${b.shelf} ${b.id}` ? -1 : 1
}
