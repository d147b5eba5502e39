import { type ReactNode, useEffect, useState } from 'react'
import { useAdminTexts } from '../../texts/admin.tsx'
import * as I from '../icons.ts'
import { Menu, TextInput } from '../kit.ts'
import { useListAddress } from './address.ts'

/** How long typing has to rest before the list is asked, in ms. */
const PAUSE_MS = 250

type SearchProps = { readonly label: string; readonly name?: string }

/** A text to look for; it stands in the address as `q`, or as `name`. */
export function SearchFilter({ label, name = 'q' }: SearchProps) {
  const { search, set } = useListAddress()
  const current = search[name] ?? ''
  const [text, setText] = useState(current)
  const [known, know] = useState(current)
  // The address changed by itself: a cleared filter, a step back.
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

/** One of a few values; the chip says which one is chosen. */
export function ChoiceFilter({ name, label, options }: ChoiceProps) {
  const { lists } = useAdminTexts()
  const { search, set } = useListAddress()
  const chosen = options.find(({ value }) => value === search[name])
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <button type="button" className={chosen ? 'chip on' : 'chip'}>
          {chosen ? lists.chosen(label, chosen.label) : label}
          <I.ChevronDown size={14} stroke={1.75} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => set({ [name]: undefined })}>{lists.any}</Menu.Item>
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            onClick={() => set({ [name]: option.value })}
            rightSection={option.value === chosen?.value ? <I.Check size={15} aria-hidden /> : null}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** On or off; on is `true` in the address. */
export function ToggleFilter({ name, label }: { name: string; label: string }) {
  const { search, set } = useListAddress()
  const isOn = search[name] === 'true'
  return (
    <button
      type="button"
      className={isOn ? 'chip on' : 'chip'}
      aria-pressed={isOn}
      onClick={() => set({ [name]: isOn ? undefined : 'true' })}
    >
      {label}
    </button>
  )
}

/** Two days, `from` and `to` in the address; both belong to the range. */
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

/** The first and the last moment of the days in the address, as the API takes them. */
export function rangeOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  const isDay = (text: string | undefined) => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text)
  return {
    ...(isDay(from) && { from: `${from}T00:00:00.000Z` }),
    ...(isDay(to) && { to: `${to}T23:59:59.999Z` }),
  }
}

/** Filters at the left, what is done with the list at the right. */
export function ListTools({ children, right }: { children?: ReactNode; right?: ReactNode }) {
  return (
    <div className="tools">
      {children}
      {right ? <div className="row push">{right}</div> : null}
    </div>
  )
}
