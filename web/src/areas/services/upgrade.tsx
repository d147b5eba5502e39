import type { components } from '@moorage/client'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Drawer,
  Empty,
  I,
  Loaded,
  Notice,
  refused,
  SumLine,
  told,
  useFormats,
} from '../../ui/index.ts'
import type { ServiceOptions } from './option-fields.tsx'
import { perPeriod } from './period.ts'
import { Amount, usePrices } from './price.tsx'
import { type ServiceDetails, serviceOptions, upgradeTargets } from './reads.ts'
import {
  bodyOf,
  isComplete,
  OptionsAfter,
  SizeOptions,
  type Wanted,
  wantedOf,
} from './size-options.tsx'

const preview = (id: string, wanted: Wanted) =>
  read(['service', id, 'upgrade', wanted], (signal) =>
    client.POST('/v1/services/{id}/upgrade', {
      params: { path: { id } },
      body: { ...bodyOf(wanted), preview: true, useCredits: true },
      signal,
    }),
  )

/** Other sizes and what each costs today. The preview uses the API of the change itself, without making it. */
export function Upgrade({ service }: { service: ServiceDetails }) {
  const texts = useTexts()
  const { services } = texts
  const { money, noteOf } = usePrices()
  const { id, name, product, plan, prices } = service
  const [isOpen, open] = useState(location.hash === '#upgrade')
  const [wanted, want] = useState<Wanted | null>(null)
  const targets = useQuery({ ...upgradeTargets(id), enabled: isOpen })
  const price = prices
    ? [`${money(prices.totalCents, plan.currency)} ${perPeriod(plan, texts)}`, noteOf(prices)]
    : []
  return (
    <Card title={services.changeSize}>
      <div className="row between wrap">
        <span>{services.upgradeNow([product.name, ...price].filter(Boolean).join(', '))}</span>
        <Button onClick={() => open(true)}>{services.changeSize}</Button>
      </div>
      <Drawer opened={isOpen} onClose={() => open(false)} title={services.upgradeTitle(name)}>
        <Loaded query={targets} waiting="…">
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon={I.Server2} title={services.noTarget}>
                {services.noTargetText}
              </Empty>
            ) : (
              <SizeChoice
                {...{ targets: data, wanted, want }}
                optionsOn={(planId) => serviceOptions(id, planId)}
              >
                {(chosen) => (
                  <Change
                    key={JSON.stringify(chosen)}
                    {...{ service, wanted: chosen, close: () => open(false) }}
                  />
                )}
              </SizeChoice>
            )
          }
        </Loaded>
      </Drawer>
    </Card>
  )
}

type Target = components['schemas']['UpgradeTarget']

type ChoiceProps = {
  readonly targets: readonly Target[]
  readonly wanted: Wanted | null
  readonly want: (wanted: Wanted) => void
  /** Reads the options of the server as it would have them on a plan. */
  readonly optionsOn: (planId: string) => UseQueryOptions<ServiceOptions>
  /** What a wish costs, once it says what becomes of every option. */
  readonly children: (wanted: Wanted) => ReactNode
}

/** The sizes that a server can change to, each with its price, and the options of the one that is chosen. */
export function SizeChoice({ targets, wanted, want, optionsOn, children }: ChoiceProps) {
  const target = targets.find(({ plan }) => plan.id === wanted?.planId)
  return (
    <>
      <Sizes {...{ targets, wanted, want }} />
      {wanted && target ? (
        <div className="below">
          <SizeOptions
            key={wanted.planId}
            {...{ target, wanted, want, there: optionsOn(wanted.planId) }}
          />
        </div>
      ) : null}
      {wanted && target && isComplete(target, wanted) ? (
        <div className="drawer-foot" aria-live="polite">
          {children(wanted)}
        </div>
      ) : null}
    </>
  )
}

function Sizes({ targets, wanted, want }: Pick<ChoiceProps, 'targets' | 'wanted' | 'want'>) {
  const { services } = useTexts()
  return (
    <fieldset className="plain stack s8">
      <legend className="sr">{services.chooseSize}</legend>
      {targets.map(({ product, plan, customerPrice, proration, ...target }) => (
        <label key={plan.id} className="choice">
          <input
            type="radio"
            name="target"
            checked={wanted?.planId === plan.id}
            onChange={() => want(wantedOf({ product, plan, customerPrice, proration, ...target }))}
          />
          <span>
            <span className="strong">{product.name}</span>
            <span className="sub block">{plan.name}</span>
          </span>
          <Amount
            price={customerPrice}
            cents={customerPrice.totalCents}
            currency={proration.currency}
          />
        </label>
      ))}
    </fieldset>
  )
}

type TermsProps = Pick<
  components['schemas']['PlacedUpgrade'],
  'proration' | 'effect' | 'fits' | 'misfit'
> & {
  readonly creditUsedCents?: number
  /** The effects of the change, if it is not a change of size. */
  readonly effects?: Readonly<Record<components['schemas']['PlacedUpgrade']['effect'], string>>
}

/** What a change costs line by line, when it happens, and whether the server fits. */
export function Terms(props: TermsProps) {
  const { proration, effect, fits, misfit, creditUsedCents = 0 } = props
  const { services } = useTexts()
  const effects = props.effects ?? services.effects
  const { money } = useFormats()
  const { currency, lines, taxCents, totalCents } = proration
  return (
    <>
      <div>
        {lines.map(({ description, netCents }) => (
          <SumLine key={description} label={description} amount={money(netCents, currency)} />
        ))}
        <SumLine label={services.tax} amount={money(taxCents, currency)} />
        {creditUsedCents > 0 ? (
          <SumLine label={services.creditUsed} amount={money(-creditUsedCents, currency)} />
        ) : null}
        <SumLine total label={services.total} amount={money(totalCents, currency)} />
      </div>
      <p className="sub">{effects[effect]}</p>
      {fits === false ? (
        <Notice tone="attention" title={misfit ? services.misfits[misfit] : services.noRoom} />
      ) : null}
    </>
  )
}

type ChangeProps = {
  readonly service: ServiceDetails
  readonly wanted: Wanted
  readonly close: () => void
}

function Change({ service: { id, name }, wanted, close }: ChangeProps) {
  const { services, common } = useTexts()
  const { money } = useFormats()
  const navigate = useNavigate()
  const query = useQuery({ ...preview(id, wanted), staleTime: 0, retry: false })
  const change = useAction(
    (quote: string | null, intent) =>
      client.POST('/v1/services/{id}/upgrade', {
        params: { path: { id } },
        body: { ...bodyOf(wanted), useCredits: true, ...(quote !== null && { quote }) },
        ...intent,
      }),
    {
      changes: [['service', id], ['services'], ['invoices'], ['credit'], ['summary']],
      done: ({ invoice }) => {
        close()
        if (invoice && invoice.dueCents > 0) {
          void navigate({ to: '/invoices/$id', params: { id: invoice.id } })
        } else {
          told(services.changing, name)
        }
      },
      failed: (error) => {
        refused(common.refused, error.message)
        void query.refetch()
      },
    },
  )
  if (query.error) return <Notice tone="attention" title={query.error.message} />
  return (
    <Loaded query={query} waiting="…">
      {(terms) => {
        const { effect, fits, proration } = terms
        const { currency, totalCents } = proration
        return (
          <div className="stack s12">
            <OptionsAfter options={terms.options} />
            <Terms {...terms} />
            <Button
              fullWidth
              size="md"
              disabled={fits === false}
              loading={change.isPending}
              onClick={() => change.mutate(terms.quote)}
            >
              {effect === 'on_payment' && totalCents > 0
                ? services.pay(money(totalCents, currency))
                : services.change}
            </Button>
          </div>
        )
      }}
    </Loaded>
  )
}
