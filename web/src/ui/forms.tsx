import { decimalsOf } from '@moorage/currencies'
import { type ReactNode, useEffect, useState } from 'react'
import { useAdminTexts } from '../texts/admin.tsx'
import { useLocale, useTexts } from '../texts/index.tsx'
import { Button, TextInput } from './kit.ts'

type SectionProps = {
  readonly title: string
  readonly help?: ReactNode
  readonly children: ReactNode
}

/** A section of a form, with its title at the left. */
export function FormSection({ title, help, children }: SectionProps) {
  return (
    <section className="formsec">
      <div>
        <h2>{title}</h2>
        {help ? <p className="sub">{help}</p> : null}
      </div>
      <div className="stack">{children}</div>
    </section>
  )
}

type SaveBarProps = {
  readonly isChanged: boolean
  readonly isSaving: boolean
  readonly save: () => void
  readonly discard: () => void
}

/** The bar that appears after a change; Ctrl+S saves. */
export function SaveBar({ isChanged, isSaving, save, discard }: SaveBarProps) {
  const { lists } = useAdminTexts()
  const { common } = useTexts()
  useEffect(() => {
    if (!isChanged) return
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return
      event.preventDefault()
      save()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [isChanged, save])
  if (!isChanged) return null
  return (
    <section className="savebar" aria-label={lists.unsaved}>
      <span className="grow">{lists.unsaved}</span>
      <Button variant="default" onClick={discard}>
        {lists.discard}
      </Button>
      <Button loading={isSaving} onClick={save} aria-keyshortcuts="Control+S Meta+S">
        {common.save}
      </Button>
    </section>
  )
}

type MoneyFieldProps = {
  readonly label: string
  readonly currency: string
  /** In the smallest unit; null if the text is not an amount. */
  readonly cents: number | null
  readonly onCents: (cents: number | null) => void
  readonly description?: string
  readonly error?: string | undefined
  readonly required?: boolean
  /** Accepts negative amounts. */
  readonly isSigned?: boolean
  readonly name?: string
  readonly hidesLabel?: boolean
}

/** An amount field that accepts a decimal comma or point. */
export function MoneyField(props: MoneyFieldProps) {
  const { label, currency, cents, onCents, isSigned = false, hidesLabel = false, ...rest } = props
  const { lists } = useAdminTexts()
  const isFrench = useLocale() === 'fr'
  const decimals = decimalsOf(currency)
  const written = cents === null ? '' : writtenOf(cents, decimals, isFrench)
  const [text, setText] = useState(written)
  const typed = centsIn(text, decimals)
  // Changed from outside: another object, a discarded draft.
  if (typed !== cents && !(cents === null && text.trim() !== '')) setText(written)
  const isWrong = text.trim() !== '' && (typed === null || (typed < 0 && !isSigned))
  return (
    <TextInput
      {...rest}
      {...(hidesLabel ? { 'aria-label': label } : { label })}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      error={
        isWrong
          ? lists.amountWrong(writtenOf(125 * 10 ** Math.max(0, decimals - 1), decimals, isFrench))
          : rest.error
      }
      rightSection={<span className="sub">{currency}</span>}
      rightSectionWidth={48}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        const value = centsIn(next, decimals)
        onCents(value !== null && (value >= 0 || isSigned) ? value : null)
      }}
    />
  )
}

/**
 * Text to the smallest unit of a currency with so many decimals, without any fraction of a number in between;
 * null where it is no amount.
 */
export function centsIn(text: string, decimals: number): number | null {
  const found = /^([-−]?)(\d{1,10})(?:[.,](\d+))?$/.exec(text.replaceAll(/\s/gu, ''))
  const [, sign, whole = '', fraction = ''] = found ?? []
  if (!found || fraction.length > decimals) return null
  const cents = Number(whole + fraction.padEnd(decimals, '0'))
  return sign ? -cents : cents
}

function writtenOf(cents: number, decimals: number, isFrench: boolean): string {
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = decimals > 0 ? `${isFrench ? ',' : '.'}${digits.slice(point)}` : ''
  return `${cents < 0 ? '-' : ''}${digits.slice(0, point)}${fraction}`
}
