import { type ReactNode, useEffect, useState } from 'react'
import { useAdminTexts } from '../../texts/admin.tsx'
import { ActionMenu } from '../action-menu.tsx'
import * as I from '../icons.ts'
import { TextInput } from '../kit.ts'
import { useListAddress } from './address.ts'

/** Debounce of typing before the list is requested, in ms. */
const PAUSE_MS = 250

type SearchProps = { readonly label: string; readonly name?: string }

/** A search field; its text is in the URL as `q`, or as `name`. */
export function SearchFilter({ label, name = 'q' }: SearchProps) {
  const { search, set } = useListAddress()
  const current = search[name] ?? ''
  const [text, setText] = useState(current)
  const [known, know] = useState(current)
  // The URL was changed elsewhere: a cleared filter, or the back button.
  if (known !== current) {
    know(current)
    setText(current)
  }
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === current) return
    const timer = setTimeout(() => {
      know(wanted)
      set({ [name]: wanted || undefined })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, current, name, set])
  return (
    <TextInput
      className="find"
      aria-label={label}
      placeholder={label}
      leftSection={<I.Search size={16} stroke={1.75} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

type ChoiceProps = {
  readonly name: string
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** A filter with a few values; the chip shows the chosen one. */
export function ChoiceFilter({ name, label, options }: ChoiceProps) {
  const { lists } = useAdminTexts()
  const { search, set } = useListAddress()
  const chosen = options.find(({ value }) => value === search[name])
  return (
    <ActionMenu
      position="bottom-start"
      width={220}
      target={
        <button type="button" className={chosen ? 'chip on' : 'chip'}>
          {chosen ? lists.chosen(label, chosen.label) : label}
          <I.ChevronDown size={14} stroke={1.75} aria-hidden />
        </button>
      }
      entries={[
        { key: '', label: lists.any, choose: () => set({ [name]: undefined }) },
        ...options.map((option) => ({
          ...{ key: option.value, label: option.label, isOn: option === chosen },
          choose: () => set({ [name]: option.value }),
        })),
      ]}
    />
  )
}

/** A choice filter and the query parameter that it sets. */
export function useChoice<Name extends string, Value extends string>(
  name: Name,
  label: string,
  values: readonly Value[],
  names: Readonly<Record<Value, string>>,
) {
  const { search } = useListAddress()
  const value = values.find((it) => it === search[name])
  return {
    query: (value ? { [name]: value } : {}) as { readonly [Key in Name]?: Value },
    filter: (
      <ChoiceFilter
        name={name}
        label={label}
        options={values.map((it) => ({ value: it, label: names[it] }))}
      />
    ),
  }
}

/** The order of a list, newest first unless the URL says otherwise, and the query parameter that it sets. */
export function useOrder() {
  const { lists } = useAdminTexts()
  const { search } = useListAddress()
  return {
    query: search.sort === 'oldest' ? ({ sort: 'oldest' } as const) : {},
    filter: <ToggleFilter name="sort" on="oldest" label={lists.oldestFirst} />,
  }
}

type ToggleProps = { readonly name: string; readonly label: string; readonly on?: string }

/** A toggle; on is `true` in the URL, or the value `on`. */
export function ToggleFilter({ name, label, on = 'true' }: ToggleProps) {
  const { search, set } = useListAddress()
  const isOn = search[name] === on
  return (
    <button
      type="button"
      className={isOn ? 'chip on' : 'chip'}
      aria-pressed={isOn}
      onClick={() => set({ [name]: isOn ? undefined : on })}
    >
      {label}
    </button>
  )
}

/** A chip for a filter that a link has set, such as those of one customer; it is shown with the filter, and removes it. */
export function LinkedFilter({ name, label }: { name: string; label: string }) {
  const { search, set } = useListAddress()
  if (!search[name]) return null
  return (
    <button type="button" className="chip on" onClick={() => set({ [name]: undefined })}>
      {label}
      <I.X size={14} stroke={1.75} aria-hidden />
    </button>
  )
}

/** A date range, `from` and `to` in the URL, both inclusive. */
export function DateFilter() {
  const { lists } = useAdminTexts()
  const { search, set } = useListAddress()
  return (
    <fieldset className="plain row dates">
      <legend className="sr">{lists.dates}</legend>
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          aria-label={lists[name]}
          title={lists[name]}
          value={search[name] ?? ''}
          {...(name === 'from' ? { max: search.to } : { min: search.from })}
          onChange={(event) => set({ [name]: event.currentTarget.value || undefined })}
        />
      ))}
    </fieldset>
  )
}

type Days = { readonly from?: string | undefined; readonly to?: string | undefined }

/** The dates in the URL; what is not a date is left out. */
export function daysOf({ from = '', to = '' }: Days) {
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
  return { ...(isDay(from) && { from }), ...(isDay(to) && { to }) }
}

/** The first and the last instant of the dates in the URL, in the format of the API. */
export function rangeOf(days: Days) {
  const { from, to } = daysOf(days)
  return {
    ...(from && { from: `${from}T00:00:00.000Z` }),
    ...(to && { to: `${to}T23:59:59.999Z` }),
  }
}

/** Filters at the left, actions of the list at the right. */
export function ListTools({ children, right }: { children?: ReactNode; right?: ReactNode }) {
  return (
    <div className="tools">
      {children}
      {right ? <div className="row push">{right}</div> : null}
    </div>
  )
}
