import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../../api/actions.ts'
import { client, read } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActionDialog, Loaded, Select, told } from '../../../ui/index.ts'
import { categories, products, type TaxRate } from './reads.ts'

/** The products by their ids, or by their category. */
type Wanted = {
  readonly taxRateId: string | null
  readonly productIds?: string[]
  readonly categoryId?: string
}

/** The values of the fields that name no object. */
const [ALL, STANDARD] = ['all', 'standard']

type Props = { readonly rates: readonly TaxRate[]; readonly close: () => void }

/** Gives all products, or those of a category, a tax rate; before, it shows which of them change. */
export function AssignRate({ rates, close }: Props) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.taxRates.assign
  const [scope, setScope] = useState(ALL)
  const [rate, setRate] = useState<string | null>(null)
  const groups = useQuery(categories).data ?? []
  const all = useQuery(products).data ?? []
  const wanted: Wanted | null =
    rate === null || (scope === ALL && all.length === 0)
      ? null
      : {
          taxRateId: rate === STANDARD ? null : rate,
          ...(scope === ALL ? { productIds: all.map(({ id }) => id) } : { categoryId: scope }),
        }
  const trial = useQuery({
    ...read(['products', 'assign-rate', wanted], (signal) =>
      client.POST('/v1/admin/products/bulk-tax-rate', {
        body: { taxRateId: null, ...wanted, dryRun: true },
        signal,
      }),
    ),
    enabled: wanted !== null,
  })
  const run = useAction(
    (body: Wanted, intent) => client.POST('/v1/admin/products/bulk-tax-rate', { body, ...intent }),
    {
      changes: [['products']],
      done: ({ updated }) => {
        told(texts.done(updated))
        close()
      },
    },
  )
  const changing = trial.data?.updated ?? 0
  return (
    <ActionDialog
      opened
      close={close}
      title={texts.title}
      action={texts.run(changing)}
      run={() => wanted && run.mutate(wanted)}
      isRunning={run.isPending}
      error={run.error}
      isIncomplete={changing === 0}
    >
      <p className="dim">{texts.text}</p>
      <Select
        label={texts.products}
        allowDeselect={false}
        value={scope}
        data={[
          { value: ALL, label: texts.all },
          ...groups.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(value) => setScope(value ?? ALL)}
      />
      <Select
        label={moneyRules.taxRates.rate}
        placeholder={texts.choose}
        allowDeselect={false}
        value={rate}
        data={[
          { value: STANDARD, label: texts.standard },
          ...rates.map(({ id, name, country }) => ({ value: id, label: `${name} (${country})` })),
        ]}
        onChange={setRate}
      />
      {wanted ? (
        <Loaded query={trial} waiting={null}>
          {({ updated, rows }) => (
            <div role="status">
              <p className="strong">{texts.would(updated)}</p>
              <p className="dim">{rows.map(({ name }) => name).join(', ')}</p>
            </div>
          )}
        </Loaded>
      ) : null}
    </ActionDialog>
  )
}
