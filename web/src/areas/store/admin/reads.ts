import type { components } from '@moorage/client'
import { answerOf, client, read } from '../../../api/client.ts'

export type Product = components['schemas']['Product']
export type Plan = components['schemas']['Plan']
export type Category = components['schemas']['Category']
export type ShopOption = components['schemas']['Option']
export type OptionGroup = components['schemas']['OptionGroup']
export type OptionEffect = components['schemas']['OptionEffect']
export type TaxRate = components['schemas']['TaxRate']
export type Interval = Plan['interval']

/** The most pages of 100 that are read. */
const MOST_PAGES = 10

/** The whole catalogue, because its order depends on all rows. */
export const products = {
  queryKey: ['products', 'all'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Product[]> => {
    const all: Product[] = []
    let cursor: string | null = null
    for (let page = 0; page < MOST_PAGES; page++) {
      const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor && { cursor }) }
      const { data, nextCursor } = await answerOf(
        client.GET('/v1/admin/products', { params: { query }, signal }),
      )
      all.push(...data)
      if (nextCursor === null) break
      cursor = nextCursor
    }
    return all.sort(inOrder)
  },
}

export const categories = {
  ...read(['categories'], (signal) =>
    client.GET('/v1/admin/categories', { params: { query: { limit: 100 } }, signal }),
  ),
  select: ({ data }: { data: Category[] }) => [...data].sort(inOrder),
}

/** All groups of options that are not archived, in the order in which forms ask for them. */
export const optionGroups = {
  ...read(['options', 'groups'], (signal) =>
    client.GET('/v1/admin/option-groups', { params: { query: { limit: 100 } }, signal }),
  ),
  select: ({ data }: { data: OptionGroup[] }) => [...data].sort(inOrder),
}

/** The options of a group that are not archived, in their order. */
export const optionsOf = (groupId: string) => ({
  ...read(['options', 'of', groupId], (signal) =>
    client.GET('/v1/admin/options', { params: { query: { groupId, limit: 100 } }, signal }),
  ),
  select: ({ data }: { data: ShopOption[] }) => [...data].sort(inOrder),
})

export const product = (id: string) =>
  read(['products', id], (signal) =>
    client.GET('/v1/admin/products/{id}', { params: { path: { id } }, signal }),
  )

/** How many more servers of a product fit; requests it from the panels. */
export const capacity = (id: string) =>
  read(['products', id, 'capacity'], (signal) =>
    client.GET('/v1/admin/products/{id}/capacity', { params: { path: { id } }, signal }),
  )

type Placed = { readonly position: number; readonly createdAt: string }

/** The order of the shop: by position, then the older first. */
function inOrder(one: Placed, other: Placed): number {
  return one.position - other.position || one.createdAt.localeCompare(other.createdAt)
}
