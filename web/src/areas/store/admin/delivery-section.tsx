import { lazy, Suspense } from 'react'
import type { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  FormSection,
  MultiSelect,
  NumberField,
  Select,
  Switch,
  Textarea,
  TextInput,
} from '../../../ui/index.ts'
import { DELIVERIES, PERIOD_STARTS, type ProductFields, TASK_ACTIONS } from './product-fields.ts'
import type { Product } from './reads.ts'

// Loaded separately, because most products are not delivered by a system of the host.
const DeliveryTarget = lazy(async () => ({
  default: (await import('./delivery-target.tsx')).DeliveryTarget,
}))

type Props = {
  readonly form: ReturnType<typeof useForm<ProductFields, Product>>
  readonly product: Product
}

/** How services are delivered, and what staff or a system of the host do for them. */
export function DeliverySection({ form, product }: Props) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const { fields, set, errors, choice, text, flag } = form
  return (
    <FormSection title={texts.delivery} help={texts.deliveryText}>
      <Select
        label={texts.deliveryField}
        description={texts.deliveryHints[fields.delivery]}
        allowDeselect={false}
        value={fields.delivery}
        error={errors.delivery}
        data={DELIVERIES.map((value) => ({ value, label: texts.deliveries[value] }))}
        onChange={(value) => {
          const delivery = DELIVERIES.find((it) => it === value)
          if (!delivery) return
          set({ delivery, periodStarts: delivery === 'manual' ? 'delivery' : 'payment' })
        }}
      />
      {fields.delivery === 'manual' ? (
        <>
          <Textarea
            {...text('instructions')}
            label={texts.instructions}
            description={texts.instructionsHint}
            required
            autosize
            minRows={3}
          />
          <div className="grid cols-2">
            <NumberField
              name="promiseHours"
              label={texts.promise}
              unit={texts.hours}
              value={fields.promiseHours}
              error={errors.promiseHours}
              required
              change={(promiseHours) => set({ promiseHours })}
            />
            <Select
              {...choice('periodStarts')}
              label={texts.periodStarts}
              allowDeselect={false}
              data={PERIOD_STARTS.map((value) => ({ value, label: texts.periodStart[value] }))}
            />
          </div>
          <MultiSelect
            label={texts.taskActions}
            description={texts.taskActionsHint}
            value={[...fields.taskActions]}
            data={TASK_ACTIONS.map((value) => ({ value, label: texts.taskAction[value] }))}
            onChange={(chosen) =>
              set({ taskActions: TASK_ACTIONS.filter((it) => chosen.includes(it)) })
            }
          />
        </>
      ) : null}
      {fields.delivery === 'webhook' ? (
        <>
          <TextInput
            {...text('url')}
            label={texts.webhookUrl}
            description={texts.webhookUrlHint}
            placeholder="https://"
            required
          />
          <NumberField
            name="confirmHours"
            label={texts.confirmHours}
            description={texts.confirmHoursHint}
            unit={texts.hours}
            value={fields.confirmHours}
            error={errors.confirmHours}
            required
            change={(hours) => set({ confirmHours: hours ?? 24 })}
          />
          <Select
            {...choice('periodStarts')}
            label={texts.periodStarts}
            allowDeselect={false}
            data={PERIOD_STARTS.map((value) => ({ value, label: texts.periodStart[value] }))}
          />
          <Switch
            {...flag('includeCustomer')}
            label={texts.includeCustomer}
            description={texts.includeCustomerHint}
          />
          {product.webhook ? (
            <Suspense>
              <DeliveryTarget product={product} />
            </Suspense>
          ) : null}
        </>
      ) : null}
    </FormSection>
  )
}
