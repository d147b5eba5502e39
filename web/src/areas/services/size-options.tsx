import type { components } from '@moorage/client'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTexts } from '../../texts/index.tsx'
import { Checkbox, Loaded, SumLine } from '../../ui/index.ts'
import type { ServiceOptions, Wish } from './option-fields.tsx'

/** Most servers have no options: the form is loaded for those that do. */
export const OptionFields = lazy(async () => ({
  default: (await import('./option-fields.tsx')).OptionFields,
}))

type Target = components['schemas']['UpgradeTarget']

/** Another size for a server, and its options there. */
export type Wanted = {
  readonly productId: string
  readonly planId: string
  readonly options: Wish
  /** The options that are given up, by their keys. */
  readonly dropOptions: readonly string[]
}

/** A size with the options that the server has there. */
export function wantedOf({ product, plan }: Target): Wanted {
  return { productId: product.id, planId: plan.id, options: {}, dropOptions: [] }
}

/** The body of an order, or of its preview. */
export function bodyOf({ dropOptions, ...wanted }: Wanted) {
  return { ...wanted, dropOptions: [...dropOptions] }
}

/** Whether every option that a size does not offer is given up, or chosen anew. */
export function isComplete({ dropped }: Target, { options, dropOptions }: Wanted): boolean {
  return dropped.every((key) => dropOptions.includes(key) || Object.hasOwn(options, key))
}

type Props = {
  readonly target: Target
  /** The options of the server as it would have them with this size. */
  readonly there: UseQueryOptions<ServiceOptions>
  readonly wanted: Wanted
  readonly want: (wanted: Wanted) => void
}

/** The options of a server with another size: what goes along, what is chosen, and what is given up. */
export function SizeOptions({ target: { options, dropped }, there, wanted, want }: Props) {
  const { services } = useTexts()
  const query = useQuery(there)
  const { dropOptions } = wanted
  const lost = options.filter(({ key }) => dropped.includes(key) && !(key in wanted.options))
  const drop = (key: string, isGivenUp: boolean) => {
    const others = dropOptions.filter((it) => it !== key)
    want({ ...wanted, dropOptions: isGivenUp ? [...others, key] : others })
  }
  return (
    <Loaded query={query} waiting="…">
      {(own) => (
        <div className="stack">
          {own.options.length > 0 ? (
            <Suspense>
              <OptionFields
                of={own}
                wish={wanted.options}
                change={(chosen) => want({ ...wanted, options: chosen })}
              />
            </Suspense>
          ) : null}
          {lost.length > 0 ? (
            <fieldset className="plain stack s8">
              <legend>{services.sizeLacks}</legend>
              {lost.map(({ key, name, before }) => (
                <Checkbox
                  key={key}
                  label={services.giveUp(before === null ? name : `${name}: ${before}`)}
                  checked={dropOptions.includes(key)}
                  onChange={(event) => drop(key, event.currentTarget.checked)}
                />
              ))}
            </fieldset>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}

type After = Pick<components['schemas']['PlacedUpgrade'], 'options'>

/** What becomes of each option with another size. */
export function OptionsAfter({ options }: After) {
  const { services } = useTexts()
  if (options.length === 0) return null
  return (
    <div>
      <p className="strong">{services.sizeOptions}</p>
      {options.map(({ key, name, before, after }) => {
        const from = before ?? services.optionNone
        const to = after ?? services.optionNone
        return <SumLine key={key} label={name} amount={from === to ? to : `${from} → ${to}`} />
      })}
    </div>
  )
}
