import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, type Column, I, IconAction, Table, useFormats } from '../../../ui/index.ts'
import type { Plan, Product } from './reads.ts'

/** Its kinds of fields make it as large as the page, so it is loaded when it is opened. */
const PlanDialog = lazy(async () => ({ default: (await import('./plan-dialog.tsx')).PlanDialog }))

const ArchivedPlans = lazy(async () => ({
  default: (await import('./archived.tsx')).ArchivedPlans,
}))

/** The terms of a product and their prices. */
export function Plans({ product }: { product: Product }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const { money, number } = useFormats()
  const mayWrite = useMay()('store:write')
  const [editing, edit] = useState<Plan | 'new' | null>(null)
  const currencies = [
    ...new Set(product.plans.flatMap(({ prices }) => prices.map((it) => it.currency))),
  ]
  const columns: readonly Column<Plan>[] = [
    { head: texts.term, cell: ({ name }) => <span className="strong">{name}</span> },
    {
      ...{ head: texts.price, right: true, small: 'second' },
      cell: (plan) => money(plan.priceCents, plan.currency),
    },
    ...currencies.map((currency) => ({
      ...{ head: currency, right: true, small: 'hide' as const },
      cell: ({ prices }: Plan) => {
        const price = prices.find((it) => it.currency === currency)
        return price ? money(price.priceCents, currency) : '–'
      },
    })),
    {
      ...{ head: texts.setup, right: true, small: 'hide' },
      cell: ({ setupFeeCents, currency }) =>
        setupFeeCents > 0 ? money(setupFeeCents, currency) : '–',
    },
    {
      ...{ head: texts.trial, right: true, small: 'hide' },
      cell: ({ trialDays }) => (trialDays > 0 ? texts.trialDays(trialDays) : '–'),
    },
    {
      ...{ head: texts.usedBy, right: true, small: 'hide' },
      cell: ({ serviceCount }) => number(serviceCount ?? 0),
    },
    ...(mayWrite
      ? [
          {
            ...{ head: texts.editTerm(''), silent: true, right: true },
            cell: (plan: Plan) => (
              <IconAction
                label={texts.editTerm(plan.name)}
                icon={I.Edit}
                variant="subtle"
                onClick={() => edit(plan)}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <div className="stack s12">
      {product.plans.length > 0 ? (
        <div className="card">
          <Table
            caption={texts.prices}
            rows={product.plans}
            columns={columns}
            rowKey={({ id }) => id}
          />
        </div>
      ) : (
        <p className="sub">{texts.noTerms}</p>
      )}
      <Suspense>
        <ArchivedPlans productId={product.id} />
      </Suspense>
      {mayWrite ? (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<I.Plus size={15} aria-hidden />}
            onClick={() => edit('new')}
          >
            {texts.addTerm}
          </Button>
        </div>
      ) : null}
      {editing ? (
        <Suspense>
          <PlanDialog
            product={product}
            plan={editing === 'new' ? null : editing}
            close={() => edit(null)}
          />
        </Suspense>
      ) : null}
    </div>
  )
}
