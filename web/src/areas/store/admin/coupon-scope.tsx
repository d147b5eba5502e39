import { useQuery } from '@tanstack/react-query'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { MultiSelect } from '../../../ui/index.ts'
import { categories, products } from './reads.ts'

type Chosen = { productIds: string[]; categoryIds: string[] }
type ScopeProps = {
  readonly fields: Readonly<Chosen>
  readonly set: (change: Partial<Chosen>) => void
}

/** The products and categories that a coupon is for; all of them if none is chosen. */
export function Scope({ fields, set }: ScopeProps) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const all = useQuery(products).data ?? []
  const groups = useQuery(categories).data ?? []
  return (
    <>
      <MultiSelect
        label={texts.products}
        placeholder={fields.productIds.length === 0 ? texts.everything : ''}
        searchable
        value={[...fields.productIds]}
        data={all.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(productIds) => set({ productIds })}
      />
      <MultiSelect
        label={texts.categoriesOnly}
        placeholder={fields.categoryIds.length === 0 ? texts.everything : ''}
        searchable
        value={[...fields.categoryIds]}
        data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(categoryIds) => set({ categoryIds })}
      />
    </>
  )
}
