import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ChangedMeanwhile } from '../api/edits.ts'
import { useLocale, useTexts } from '../texts/index.tsx'
import * as I from './icons.ts'
import { TextInput } from './kit.ts'
import { Notice } from './parts.tsx'

type Option<Value extends string> = {
  readonly value: Value
  readonly title: string
  readonly hint?: ReactNode
}

type ChoiceProps<Value extends string> = {
  readonly name: string
  readonly label: string
  readonly value: Value | ''
  readonly options: readonly Option<Value>[]
  readonly change: (value: Value) => void
  readonly error?: string | undefined
}

/** A choice between a few large cards with descriptions. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { name, label, value, options, change, error } = props
  return (
    <fieldset className="plain stack s8" aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="legend-label">{label}</legend>
      <div className="stack s8">
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => change(option.value)}
            />
            <span>
              <span className="strong">{option.title}</span>
              {option.hint ? <span className="sub block">{option.hint}</span> : null}
            </span>
          </label>
        ))}
      </div>
      {error ? (
        <p id={`${name}-error`} className="mantine-InputWrapper-error" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

/** An error that does not belong to a field, or a notice that someone else changed the object meanwhile. */
export function Faulty({ fault }: { fault: Error | null }) {
  const { common } = useTexts()
  const shown = useRef<HTMLDivElement>(null)
  // The button that saves may be far below.
  useEffect(() => {
    if (fault) shown.current?.scrollIntoView({ block: 'center' })
  }, [fault])
  if (!fault) return null
  const isChanged = fault instanceof ChangedMeanwhile
  return (
    <div ref={shown} className="fault">
      <Notice
        tone={isChanged ? 'attention' : 'failed'}
        title={isChanged ? common.changed : common.refused}
      >
        {isChanged ? common.changedText : fault.message}
      </Notice>
    </div>
  )
}

export type TestStep = {
  readonly key: string
  readonly name: string
  readonly state: 'done' | 'bad' | 'now' | 'todo'
  /** The result, or what to do about it. */
  readonly detail?: ReactNode
}

/** The steps of a test, each with its result or what to do. */
export function TestSteps({ steps, label }: { steps: readonly TestStep[]; label: string }) {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map(({ key, name, state, detail }, index) => (
        <li key={key} className={state}>
          <span className="mark" aria-hidden>
            {state === 'done' ? (
              <I.Check size={15} stroke={2.2} />
            ) : state === 'bad' ? (
              <I.X size={15} stroke={2.2} />
            ) : (
              index + 1
            )}
          </span>
          <div>
            <div className="name">{name}</div>
            {detail ? <div className="sub">{detail}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  )
}

type NumberFieldProps = {
  readonly name: string
  readonly label: string
  readonly value: number | null
  readonly change: (value: number | null) => void
  readonly description?: ReactNode
  readonly error?: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
  /** Content in the field, at the right. */
  readonly unit?: string
  /** The number of decimals. */
  readonly digits?: number
  readonly placeholder?: string
}

/** A number field that accepts a decimal comma or point, with its unit. */
export function NumberField(props: NumberFieldProps) {
  const { value, change, unit, digits = 0, error, ...rest } = props
  const { common } = useTexts()
  const locale = useLocale()
  const written = (number: number | null) =>
    number === null
      ? ''
      : new Intl.NumberFormat(locale, {
          ...{ useGrouping: false, maximumFractionDigits: digits },
          minimumFractionDigits: Number.isInteger(number) ? 0 : digits,
        }).format(number)
  const [typed, type] = useState<string | null>(null)
  const isWrong = typed !== null && numberIn(typed, digits) === undefined
  return (
    <TextInput
      {...rest}
      value={typed ?? written(value)}
      error={isWrong ? common.notANumber : error}
      inputMode={digits > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      {...(unit && {
        rightSection: <span className="unit">{unit}</span>,
        rightSectionWidth: 18 + unit.length * 8,
      })}
      onChange={({ currentTarget }) => {
        type(currentTarget.value)
        const number = numberIn(currentTarget.value, digits)
        if (number !== undefined) change(number)
      }}
      onBlur={() => isWrong || type(null)}
    />
  )
}

/** Undefined for text that is not a number; null for empty text. */
function numberIn(text: string, digits: number): number | null | undefined {
  const plain = text.replaceAll(/[\s\u202f\u00a0]/g, '').replace(',', '.')
  if (plain === '') return null
  if (!/^-?\d+(?:\.\d*)?$/.test(plain)) return undefined
  const number = Number(plain)
  return Math.round(number * 10 ** digits) / 10 ** digits
}
