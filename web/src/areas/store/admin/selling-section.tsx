import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import type { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { FormSection, MultiSelect, NumberField, Select, Switch } from '../../../ui/index.ts'
import { BADGES, type ProductFields } from './product-fields.ts'
import { type Product, products } from './reads.ts'

const taxRates = read(['tax-rates', 'choice'], (signal) =>
  client.GET('/v1/admin/tax-rates', { params: { query: { limit: 100 } }, signal }),
)

type Props = {
  readonly form: ReturnType<typeof useForm<ProductFields, Product>>
  readonly product: Product
}

/** How a product is sold: stock, tax rate, badge, and the products that it can be changed to. */
export function SellingSection({ form, product }: Props) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const rates = useQuery(taxRates).data?.data ?? []
  const others = (useQuery(products).data ?? []).filter(({ id }) => id !== product.id)
  const { fields, set, choice, flag } = form
  return (
    <FormSection title={texts.selling}>
      <Switch {...flag('isVisible')} label={texts.visible} description={texts.visibleText} />
      <div className="grid cols-2">
        <NumberField
          name="stock"
          label={texts.stock}
          value={fields.stock}
          placeholder={texts.unlimited}
          error={form.errors.stock}
          change={(stock) => set({ stock })}
        />
        <Select
          {...choice('taxRateId')}
          label={texts.taxRate}
          clearable
          placeholder={texts.standardRate}
          data={rates.map(({ id, name, country }) => ({
            value: id,
            label: `${name} (${country})`,
          }))}
        />
      </div>
      <Select
        {...choice('badge')}
        label={texts.badge}
        clearable
        placeholder={texts.noBadge}
        data={BADGES.map((it) => ({ value: it, label: texts.badges[it] }))}
      />
      <MultiSelect
        label={texts.upgrades}
        description={texts.upgradesHint}
        searchable
        value={[...fields.upgradeTargetIds]}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(upgradeTargetIds) => set({ upgradeTargetIds })}
      />
    </FormSection>
  )
}
