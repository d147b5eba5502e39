import { type Problem, unprocessable } from '#lib/problem.ts'

export type StockItem = { readonly productId: string; readonly quantity: number }

/** 422: there is not that much left. */
export function outOfStock(): Problem {
  return unprocessable('There is not enough of this left.', 'out_of_stock')
}

/** Quantities added up per product, in the order in which all of us lock products. */
export function perProduct(items: readonly StockItem[]): StockItem[] {
  const sums = new Map<string, number>()
  for (const { productId, quantity } of items) {
    sums.set(productId, (sums.get(productId) ?? 0) + quantity)
  }
  return [...sums]
    .map(([productId, quantity]) => ({ productId, quantity }))
    .sort((a, b) => (a.productId < b.productId ? -1 : 1))
}
